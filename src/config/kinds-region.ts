/**
 * The kinds that regions need: a tag such as `eu` (G2, K4), how long what has it is kept, and which
 * hosts are there.
 */
import { type HostRegion, isRegionName } from '../region/index.ts';
import { isProblem, type Kind, type Parsed } from './kind.ts';
import { duration } from './kinds-plain.ts';
import { host } from './kinds-web.ts';

/** Short and plain: it stands in every row, in addresses of the API and in file listings. */
export function regionTag(): Kind<string, ''> {
  return {
    ...{ form: 'REGION', expects: 'a tag such as eu or us-east-1, of up to 32 letters and digits' },
    ...{ unit: '', suffix: '', json: ['string'] },
    parse(given): Parsed<string> {
      const value = given.trim().toLowerCase();
      return isRegionName(value) ? { value } : { problem: 'is not a tag of a region' };
    },
    write: (value) => value,
  };
}

export interface RegionSpan {
  readonly region: string;
  readonly ms: number;
}

export function regionSpan(): Kind<RegionSpan, ''> {
  const [tag, span] = [regionTag(), duration()];
  return {
    ...{ form: 'REGION=DURATION', expects: 'a region and how long, such as eu=30d' },
    ...{ unit: '', suffix: '', json: ['string'] },
    parse(given): Parsed<RegionSpan> {
      const at = given.indexOf('=');
      const region = tag.parse(given.slice(0, Math.max(0, at)));
      if (isProblem(region)) return { problem: 'is not of the form REGION=DURATION' };
      const ms = span.parse(given.slice(at + 1));
      if (isProblem(ms)) return { problem: `has a time that ${ms.problem}` };
      return { value: { region: region.value, ms: ms.value } };
    },
    write: ({ region, ms }) => `${region}=${span.write(ms)}`,
  };
}

export function hostRegion(): Kind<HostRegion, ''> {
  const [name, tag] = [host(), regionTag()];
  return {
    ...{ form: 'HOST=REGION', expects: 'a host or domain and its region, such as example.com=eu' },
    ...{ unit: '', suffix: '', json: ['string'] },
    parse(given): Parsed<HostRegion> {
      const at = given.lastIndexOf('=');
      if (at < 1) return { problem: 'is not of the form HOST=REGION' };
      const of = name.parse(
        given
          .slice(0, at)
          .trim()
          .replace(/^\*?\./, ''),
      );
      if (isProblem(of)) return { problem: 'does not begin with a host name' };
      const region = tag.parse(given.slice(at + 1));
      if (isProblem(region)) return { problem: `has a region that ${region.problem}` };
      return { value: { host: of.value, region: region.value } };
    },
    write: ({ host: of, region }) => `${of}=${region}`,
  };
}
