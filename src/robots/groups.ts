/**
 * Records gathered into sections: what the whole file says to one product token.
 *
 * A group is a run of `User-agent` lines and the rules after it; groups that name the same
 * token are one (RFC 9309, 2.2.1). Only `Allow` and `Disallow` close a run: any other record
 * must not interfere (2.2.4), so a `Crawl-delay` between two `User-agent` lines leaves them
 * in one group. The delay itself belongs to the names right above it, and so do preferences
 * (R5); that is what their authors mean.
 *
 * Groups and remarks are shared between the tokens that they name, never copied: a hostile
 * file costs no more memory than its own size times a constant.
 */
import { Buffer } from 'node:buffer';
import { lineTokens } from './agent.ts';
import { type RecordKind, readRecords } from './lines.ts';
import { comparablePattern } from './octets.ts';

export interface Rule {
  readonly allow: boolean;
  /** In the common spelling of octets.ts. */
  readonly pattern: string;
  /** As written, for the audit trail (R4). */
  readonly written: string;
  readonly line: number;
}

/** A preference for the use of what is fetched (R5), as written. */
export interface Statement {
  /** `content-usage` or `content-signal`. */
  readonly key: string;
  /** In octets. */
  readonly value: string;
  readonly line: number;
}

interface Remarks {
  delayMs: number | undefined;
  readonly preferences: Statement[];
}

export interface Section {
  readonly groups: Rule[][];
  readonly remarks: Remarks[];
}

export interface RobotsFile {
  readonly sections: ReadonlyMap<string, Section>;
  readonly sitemaps: string[];
  /** Preferences that stand before any `User-agent`: for everyone. */
  readonly preferences: Statement[];
}

export function readFile(body: string | Uint8Array): RobotsFile {
  const reader = new GroupReader();
  readRecords(body, (kind, value, line, key) => reader.take(kind, value, line, key));
  return { sections: reader.sections, sitemaps: [...reader.sitemaps], preferences: reader.common };
}

class GroupReader {
  readonly sections = new Map<string, Section>();
  readonly sitemaps = new Set<string>();
  readonly common: Statement[] = [];
  #rules: Rule[] | undefined;
  #remarks: Remarks | undefined;
  #rulesOpen = false;
  #remarksOpen = false;

  take(kind: RecordKind | undefined, value: string, line: number, key: string): void {
    if (kind === 'agent') this.#name(value);
    else if (kind === 'allow' || kind === 'disallow') this.#rule(kind === 'allow', value, line);
    else if (kind === 'delay') this.#delay(value);
    else if (kind === 'preference') this.#preference({ key, value, line });
    else if (kind === 'sitemap' && value !== '') this.sitemaps.add(fromOctets(value));
  }

  #name(value: string): void {
    if (!this.#rulesOpen) this.#rules = [];
    if (!this.#remarksOpen) this.#remarks = { delayMs: undefined, preferences: [] };
    this.#rulesOpen = true;
    this.#remarksOpen = true;
    for (const token of lineTokens(value)) {
      const section = this.sections.get(token) ?? { groups: [], remarks: [] };
      this.sections.set(token, section);
      if (section.groups.at(-1) !== this.#rules) section.groups.push(this.#rules!);
      if (section.remarks.at(-1) !== this.#remarks) section.remarks.push(this.#remarks!);
    }
  }

  #rule(allow: boolean, written: string, line: number): void {
    this.#rulesOpen = false;
    this.#remarksOpen = false;
    if (written === '' || this.#rules === undefined) return;
    this.#rules.push({ allow, pattern: comparablePattern(written), written, line });
  }

  #delay(value: string): void {
    this.#remarksOpen = false;
    const delayMs = delayOf(value);
    if (this.#remarks === undefined || delayMs === undefined) return;
    this.#remarks.delayMs = Math.max(this.#remarks.delayMs ?? 0, delayMs);
  }

  #preference(statement: Statement): void {
    this.#remarksOpen = false;
    (this.#remarks?.preferences ?? this.common).push(statement);
  }
}

/** Seconds with an optional fraction; anything else is no delay. The caller caps it (P1). */
function delayOf(value: string): number | undefined {
  if (!/^(\d+\.?\d*|\.\d+)$/.test(value)) return undefined;
  return Math.min(Math.round(Number(value) * 1_000), Number.MAX_SAFE_INTEGER);
}

export function fromOctets(octets: string): string {
  return Buffer.from(octets, 'latin1').toString('utf8');
}
