/**
 * What may be done with a page once it is fetched (R5), as a site states it:
 *
 *   Content-Usage: train-ai=n, search=y          IETF aipref: a dictionary, y or n
 *   Content-Signal: ai-train=no, search=yes      Cloudflare's content signals: yes or no
 *
 * Both speak of the same uses, so they are kept under one set of names (`ai-train` for
 * `train-ai`) and one pair of words. A name that nobody knows yet is kept as it is: a crawl
 * may declare it as its purpose. What is not said is unknown, which is neither yes nor no.
 *
 * Several statements about one page add up, and no beats yes (aipref-vocab, 'Combining
 * Preferences'): neither place is above the other.
 */
import { parseDictionary } from './dictionary.ts';

export interface Preference {
  readonly allowed: boolean;
  /** Who says so, for a person: `robots.txt line 3 (Content-Usage: train-ai=n)`. */
  readonly source: string;
}

/** By the name of the use, in the order of the names. */
export type Usage = ReadonlyMap<string, Preference>;

export const NO_USAGE: Usage = new Map();

/** The statements of two vocabularies that mean one use. */
const SAME_AS: ReadonlyMap<string, string> = new Map([['train-ai', 'ai-train']]);
const SIGNAL = /^([a-z][a-z0-9_.-]*)[ \t]*=[ \t]*(yes|no|y|n)$/;
/** The uses that somebody has defined. Of other names only so many are kept. */
const DEFINED = new Set(['ai-input', 'ai-train', 'search']);
const NAMES_MAX = 16;
const NAME_CHARS_MAX = 40;

/** `kind` is the name of the header or of the robots.txt rule, in lower case. */
export function parseUsage(kind: string, statement: string, source: string): Usage {
  const said = kind === 'content-usage' ? usageWords(statement) : signalWords(statement);
  const found = new Map<string, Preference>();
  for (const [label, allowed] of said) {
    const name = SAME_AS.get(label) ?? label;
    if (hasRoom(found, name)) found.set(name, { allowed, source });
  }
  return sorted(found);
}

function hasRoom(usage: Usage, name: string): boolean {
  if (DEFINED.has(name) || usage.has(name)) return true;
  return usage.size < NAMES_MAX && name.length <= NAME_CHARS_MAX;
}

/** `y` and `n` as tokens; whatever else a dictionary may hold leaves the preference unknown. */
function* usageWords(statement: string): Iterable<[string, boolean]> {
  for (const [name, token] of parseDictionary(statement) ?? []) {
    if (token === 'y' || token === 'n') yield [name, token === 'y'];
  }
}

/** No grammar is published for signals, so each is read by itself; the last of a name counts. */
function* signalWords(statement: string): Iterable<[string, boolean]> {
  for (const part of statement.toLowerCase().split(/[,;]/)) {
    const [, name, word] = SIGNAL.exec(part.trim()) ?? [];
    if (name !== undefined && word !== undefined) yield [name, word[0] === 'y'];
  }
}

/** What a page's own answer says: both headers, and `noai`, an older word for one of them. */
export function headerUsage(headers: Readonly<Record<string, string>>, noai = false): Usage {
  const usage = parseHeader('content-usage', headers);
  const all = combineUsage(usage, parseHeader('content-signal', headers));
  return noai ? combineUsage(all, parseUsage('content-signal', 'ai-train=no', 'noai')) : all;
}

function parseHeader(name: string, headers: Readonly<Record<string, string>>): Usage {
  const value = headers[name];
  if (value === undefined) return NO_USAGE;
  return parseUsage(name, value.replaceAll('\n', ', '), `the ${name} header`);
}

/** No beats yes; yes beats nothing. */
export function combineUsage(a: Usage, b: Usage): Usage {
  if (a.size === 0) return b;
  if (b.size === 0) return a;
  const all = new Map(a);
  for (const [name, said] of b) {
    const known = all.get(name);
    const counts = known === undefined ? hasRoom(all, name) : known.allowed && !said.allowed;
    if (counts) all.set(name, said);
  }
  return sorted(all);
}

/** The first of the purposes that the page says no to, with who says so. */
export function refusedPurpose(
  usage: Usage,
  purposes: readonly string[],
): { readonly purpose: string; readonly source: string } | undefined {
  for (const purpose of purposes) {
    const said = usage.get(purpose);
    if (said !== undefined && !said.allowed) return { purpose, source: said.source };
  }
  return undefined;
}

/** As a record keeps it: `ai-train=no, search=yes`. */
export function usageText(usage: Usage): string {
  const pairs: string[] = [];
  for (const [name, { allowed }] of usage) pairs.push(`${name}=${allowed ? 'yes' : 'no'}`);
  return pairs.join(', ');
}

function sorted(usage: ReadonlyMap<string, Preference>): Usage {
  if (usage.size < 2) return usage;
  return new Map([...usage].sort(([a], [b]) => (a < b ? -1 : 1)));
}
