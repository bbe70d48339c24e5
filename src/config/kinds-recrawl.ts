/** The kinds that recrawling and its reports need: a budget, a host's class, an instant. */
import { HOST_CLASSES, type HostClass } from '../record/host-record.ts';
import { isProblem, type Kind, type Parsed } from './kind.ts';
import { duration } from './kinds-plain.ts';
import { host } from './kinds-web.ts';

/** `5000`: visits a day; `10%`: a share of the known pages a day. */
export function dailyBudget(): Kind<string, ''> {
  return {
    ...{ form: 'N|P%', expects: 'a number of pages a day such as 5000, or a share such as 10%' },
    ...{ unit: '', suffix: '', json: ['string', 'number'] },
    parse(given): Parsed<string> {
      const [, amount, percent] = /^(\d[\d_]*(?:\.\d+)?)\s*(%?)$/.exec(given.trim()) ?? [];
      const value = Number(amount?.replaceAll('_', ''));
      if (!(value > 0)) return { problem: 'is not a number of pages above 0' };
      return { value: `${value}${percent}` };
    },
    write: String,
  };
}

export interface ClassedHost {
  readonly host: string;
  readonly hostClass: HostClass;
}

const SETTABLE = HOST_CLASSES.filter((name) => name !== 'unknown');

export function classedHost(): Kind<ClassedHost, ''> {
  const name = host();
  return {
    ...{ form: 'HOST=CLASS', expects: `a host and its class, such as news.example=news` },
    ...{ unit: '', suffix: '', json: ['string'] },
    parse(given): Parsed<ClassedHost> {
      const at = given.lastIndexOf('=');
      const named = name.parse(given.slice(0, Math.max(0, at)));
      if (isProblem(named)) return { problem: 'is not of the form HOST=CLASS' };
      const found = SETTABLE.find(
        (one) =>
          one ===
          given
            .slice(at + 1)
            .trim()
            .toLowerCase(),
      );
      if (found === undefined) return { problem: `has a class that is not ${SETTABLE.join(', ')}` };
      return { value: { host: named.value, hostClass: found } };
    },
    write: (value) => `${value.host}=${value.hostClass}`,
  };
}

/** An instant, or a time before now. */
export type Since = { readonly at: number } | { readonly agoMs: number };

export function since(): Kind<Since, ''> {
  const span = duration({ min: 1 });
  return {
    ...{ form: 'WHEN', expects: 'a time ago such as 7d, or a date such as 2026-01-31T12:00Z' },
    ...{ unit: '', suffix: '', json: ['string'] },
    parse(given): Parsed<Since> {
      const text = given.trim();
      if (/^\d{4}-\d\d-\d\d/.test(text)) {
        const at = Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(text.slice(10)) ? text : utc(text));
        return Number.isNaN(at) ? { problem: 'is not a date' } : { value: { at } };
      }
      const ago = span.parse(text);
      return isProblem(ago) ? { problem: 'is not a time' } : { value: { agoMs: ago.value } };
    },
    write: (value) => ('at' in value ? new Date(value.at).toISOString() : span.write(value.agoMs)),
  };
}

/** Without a zone a time is UTC, whatever the machine's own is. */
function utc(text: string): string {
  return text.length === 10 ? `${text}T00:00:00Z` : `${text.replace(' ', 'T')}Z`;
}
