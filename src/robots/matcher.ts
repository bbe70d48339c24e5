/**
 * The most specific rule for a path: longest pattern, Allow before Disallow on a tie
 * (RFC 9309, 2.2.2). Asked once for every URL of a host, so rules are compiled.
 *
 *   plain prefixes   sorted; each knows the best rule among its own prefixes. The greatest
 *                    pattern not after the path has every matching one among its prefixes,
 *                    so a binary search and a walk of parent links answer, whatever the count.
 *   `/path$`         a map.
 *   with `*`         split at the stars once, tried best first, until one matches or the
 *                    plain answer is better. Leftmost search is enough: nothing is retried,
 *                    and one pattern costs one pass over the path.
 *
 * The work on starred patterns is bounded. A file that would need more (50,000 of them, made
 * to be slow) is not understood in time, and what is not understood is not entered.
 */
import type { Rule } from './groups.ts';

/** Characters looked at for one URL: 20 ms or so; honest files need a thousandth of it. */
const WORK_MAX = 16_000_000;
const WORK_PER_PATTERN = 64;

export type Decision = Rule | 'too-costly' | undefined;

export interface Matcher {
  decide(path: string): Decision;
}

interface Starred {
  readonly rule: Rule;
  readonly head: string;
  readonly parts: readonly string[];
  /** What the path must end with; undefined when it may go on. */
  readonly tail: string | undefined;
}

const NO_RULES: Matcher = { decide: () => undefined };

export function compileRules(groups: readonly Rule[][]): Matcher {
  const prefixes = new Map<string, Rule>();
  const exact = new Map<string, Rule>();
  const starred: Starred[] = [];
  for (const rules of groups) {
    for (const rule of rules) sortIn(rule, prefixes, exact, starred);
  }
  if (prefixes.size + exact.size + starred.length === 0) return NO_RULES;
  starred.sort((a, b) => (beats(a.rule, b.rule) ? -1 : beats(b.rule, a.rule) ? 1 : 0));
  return new CompiledRules(new PrefixTable(prefixes), exact, starred);
}

function sortIn(
  rule: Rule,
  prefixes: Map<string, Rule>,
  exact: Map<string, Rule>,
  starred: Starred[],
): void {
  const ends = rule.pattern.endsWith('$');
  const body = ends ? rule.pattern.slice(0, -1) : withoutLastStars(rule.pattern);
  if (body.includes('*')) {
    const parts = body.split('*');
    const head = parts.shift()!;
    const tail = ends ? parts.pop() : undefined;
    starred.push({ rule, head, parts: parts.filter((part) => part !== ''), tail });
    return;
  }
  const table = ends ? exact : prefixes;
  const other = table.get(body);
  if (other === undefined || beats(rule, other)) table.set(body, rule);
}

function withoutLastStars(pattern: string): string {
  let end = pattern.length;
  while (pattern[end - 1] === '*') end -= 1;
  return pattern.slice(0, end);
}

function beats(a: Rule, b: Rule | undefined): boolean {
  if (b === undefined) return true;
  if (a.pattern.length !== b.pattern.length) return a.pattern.length > b.pattern.length;
  return a.allow && !b.allow;
}

class CompiledRules implements Matcher {
  readonly #prefixes: PrefixTable;
  readonly #exact: ReadonlyMap<string, Rule>;
  readonly #starred: readonly Starred[];

  constructor(prefixes: PrefixTable, exact: ReadonlyMap<string, Rule>, starred: Starred[]) {
    this.#prefixes = prefixes;
    this.#exact = exact;
    this.#starred = starred;
  }

  decide(path: string): Decision {
    let best = this.#prefixes.bestFor(path);
    const whole = this.#exact.get(path);
    if (whole !== undefined && beats(whole, best)) best = whole;
    let work = WORK_MAX;
    for (const candidate of this.#starred) {
      if (!beats(candidate.rule, best)) break;
      if (matches(candidate, path)) return candidate.rule;
      work -= path.length + WORK_PER_PATTERN;
      if (work < 0) return 'too-costly';
    }
    return best;
  }
}

function matches(pattern: Starred, path: string): boolean {
  if (!path.startsWith(pattern.head)) return false;
  let at = pattern.head.length;
  for (const part of pattern.parts) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  const tail = pattern.tail;
  return tail === undefined || (path.length - tail.length >= at && path.endsWith(tail));
}

class PrefixTable {
  readonly #patterns: string[];
  readonly #parents: Int32Array;
  readonly #best: Rule[] = [];

  constructor(rules: ReadonlyMap<string, Rule>) {
    this.#patterns = [...rules.keys()].sort((a, b) => (a < b ? -1 : 1));
    this.#parents = new Int32Array(this.#patterns.length);
    let open = -1;
    for (const [index, pattern] of this.#patterns.entries()) {
      while (open >= 0 && !pattern.startsWith(this.#patterns[open]!)) open = this.#parents[open]!;
      this.#parents[index] = open;
      const own = rules.get(pattern)!;
      const above = this.#best[open];
      this.#best.push(beats(own, above) ? own : above!);
      open = index;
    }
  }

  bestFor(path: string): Rule | undefined {
    let at = this.#lastNotAfter(path);
    if (at < 0) return undefined;
    const shared = sharedLength(this.#patterns[at]!, path);
    while (at >= 0 && this.#patterns[at]!.length > shared) at = this.#parents[at]!;
    return at < 0 ? undefined : this.#best[at];
  }

  #lastNotAfter(path: string): number {
    let low = 0;
    let high = this.#patterns.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#patterns[middle]! <= path) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

function sharedLength(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}
