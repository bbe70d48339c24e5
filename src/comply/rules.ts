/**
 * Rules in force: denials (never ask again) or holds (keep whatever is asked).
 *
 * Asked before every URL is queued and before every request, so the common answer must be
 * cheap: `isEmpty` is one comparison, a host and a URL are one lookup each, and patterns, of
 * which there are few, are tried last.
 */
import { hostnameOf, hostOf } from '../url/index.ts';
import { fitterOf, type Subject, subjectKey } from './subject.ts';

export interface Rule extends Subject {
  readonly reason: string;
  /** Who decided it. */
  readonly by: string;
  /** ISO text: it is told to people and kept in the trail. */
  readonly at: string;
  /** What was there has been, or is being, erased. */
  readonly erases: boolean;
}

interface Pattern {
  readonly rule: Rule;
  readonly fits: (url: string) => boolean;
}

export function fitsRule(rule: Subject, url: string): boolean {
  return fitterOf(rule)(url);
}

export class Rules {
  readonly #spared: Rules | undefined;
  readonly #all = new Map<string, Rule>();
  readonly #urls = new Map<string, Rule>();
  readonly #hosts = new Map<string, Rule>();
  readonly #sites = new Map<string, Rule>();
  readonly #patterns = new Map<string, Pattern>();
  #isEmpty = true;

  /** What others hold is denied as anything else, and not erased. */
  constructor(spared?: Rules) {
    this.#spared = spared;
  }

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  get size(): number {
    return this.#all.size;
  }

  all(): readonly Rule[] {
    return [...this.#all.values()];
  }

  get(subject: Subject): Rule | undefined {
    return this.#all.get(subjectKey(subject));
  }

  /**
   * A later decision about the same subject takes the place of the earlier one. Whom a region
   * meets is told by `fits`.
   */
  add(rule: Rule, fits = fitterOf(rule)): void {
    const key = subjectKey(rule);
    this.#all.set(key, rule);
    if (isTried(rule)) this.#patterns.set(key, { rule, fits });
    else this.#tableOf(rule).set(rule.value, rule);
    this.#isEmpty = false;
  }

  remove(subject: Subject): void {
    this.#all.delete(subjectKey(subject));
    if (isTried(subject)) this.#patterns.delete(subjectKey(subject));
    else this.#tableOf(subject).delete(subject.value);
    this.#isEmpty = this.#all.size === 0;
  }

  /** The rule that a canonical URL meets, if any. */
  meets(url: string): Rule | undefined {
    if (this.#isEmpty) return undefined;
    const rule = this.#urls.get(url) ?? this.#meetsHost(url) ?? this.#meetsPattern(url);
    if (rule === undefined || !rule.erases || this.#spared === undefined) return rule;
    return this.#spared.meets(url) === undefined ? rule : { ...rule, erases: false };
  }

  #meetsHost(url: string): Rule | undefined {
    if (this.#hosts.size + this.#sites.size === 0) return undefined;
    const name = hostnameOf(url);
    const found = this.#hosts.get(name) ?? this.#hosts.get(hostOf(url));
    return found ?? this.#meetsSite(name);
  }

  #meetsSite(name: string): Rule | undefined {
    if (this.#sites.size === 0) return undefined;
    for (let rest = name; ; ) {
      const found = this.#sites.get(rest);
      const dot = rest.indexOf('.');
      if (found !== undefined || dot < 0) return found;
      rest = rest.slice(dot + 1);
    }
  }

  #meetsPattern(url: string): Rule | undefined {
    for (const { rule, fits } of this.#patterns.values()) if (fits(url)) return rule;
    return undefined;
  }

  #tableOf({ kind }: Subject): Map<string, Rule> {
    if (kind === 'url') return this.#urls;
    return kind === 'host' ? this.#hosts : this.#sites;
  }
}

/** No table finds it: it is tried with every URL. */
function isTried({ kind }: Subject): boolean {
  return kind === 'pattern' || kind === 'region';
}
