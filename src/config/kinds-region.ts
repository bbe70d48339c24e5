/** The kinds that region tags need (G2): a tag such as `eu`, and how long what has it is kept. */
import { isProblem, type Kind, type Parsed } from './kind.ts';
import { duration } from './kinds-plain.ts';

const TAG = /^[a-z0-9][a-z0-9._-]{0,31}$/;

/** Short and plain: it stands in every row, in addresses of the API and in file listings. */
export function regionTag(): Kind<string, ''> {
  return {
    ...{ form: 'REGION', expects: 'a tag such as eu or us-east-1, of up to 32 letters and digits' },
    ...{ unit: '', suffix: '', json: ['string'] },
    parse(given): Parsed<string> {
      const value = given.trim().toLowerCase();
      return TAG.test(value) ? { value } : { problem: 'is not a tag of a region' };
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
