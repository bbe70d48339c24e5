/**
 * The audit trail: one JSON object a line, each with the hash of the line before it and its own.
 *
 *   {"seq":7,"at":…,"by":…,"action":"erase","phase":"intent",…,"prev":"<hash of 6>","hash":"…"}
 *
 * A line that was changed has not its hash; one that was removed, added or moved breaks the
 * chain; lines cut from the end are missed by the head, which the store keeps besides. A whole
 * trail can still be written anew by somebody who also writes the store: against that helps a
 * copy elsewhere of any line's hash.
 *
 * An action has two lines: `intent` before it, `done` or `refused` after it, which names the
 * intent by `of`. Text from outside is one line whatever it holds: what is not plainly visible
 * is written as an escape (Y3).
 */
import { createHash } from 'node:crypto';
import type { Subject } from './subject.ts';

export type Action = 'block' | 'unblock' | 'erase' | 'hold' | 'release' | 'complain' | 'retain';

export interface AuditEntry {
  readonly at: string;
  readonly by: string;
  readonly action: Action;
  readonly phase: 'intent' | 'done' | 'refused';
  readonly subject: Subject;
  readonly reason: string;
  /** The intent that this line ends. */
  readonly of?: number;
  /** What came of it. */
  readonly outcome?: string;
}

export interface AuditLine extends AuditEntry {
  readonly seq: number;
  readonly prev: string;
  readonly hash: string;
}

/** The last line of a chain. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

export const CHAIN_START: ChainHead = { seq: 0, hash: '0'.repeat(64) };

/** The next line, without its line end, and the head that it makes. */
export function lineOf(entry: AuditEntry, { seq, hash: prev }: ChainHead): [string, ChainHead] {
  const body = { seq: seq + 1, ...entry, prev };
  const text = oneLine(JSON.stringify(body));
  const hash = hashOf(text);
  return [`${text.slice(0, -1)},"hash":"${hash}"}`, { seq: seq + 1, hash }];
}

const HASH_AT_END = /^(.*),"hash":"([0-9a-f]{64})"\}$/s;

/** The line, or what is wrong with it by itself. */
export function parseLine(text: string): AuditLine | string {
  const match = HASH_AT_END.exec(text);
  if (match === null) return 'is no line of an audit trail';
  if (hashOf(`${match[1]}}`) !== match[2]) return 'was changed: its hash is not that of its text';
  try {
    const line = JSON.parse(text) as AuditLine;
    const isWhole = Number.isSafeInteger(line.seq) && typeof line.prev === 'string';
    return isWhole ? line : 'lacks its number or the hash of the line before';
  } catch {
    return 'is not JSON';
  }
}

export interface ChainProblem {
  /** Counted from 1, as an editor does. */
  readonly line: number;
  readonly problem: string;
}

/** What is wrong with a line that should follow `before`. */
export function chainProblem(parsed: AuditLine | string, before: ChainHead): string | undefined {
  if (typeof parsed === 'string') return parsed;
  if (parsed.seq !== before.seq + 1) {
    return `has number ${parsed.seq} where ${before.seq + 1} is due: lines are missing or moved`;
  }
  return parsed.prev === before.hash ? undefined : 'does not follow from the line before it';
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** JSON lets some characters through that end a line or turn a text around; these are escaped. */
function oneLine(json: string): string {
  return json.replace(/[^\P{C}]|[^\P{Z} ]/gu, (sign) =>
    Array.from({ length: sign.length }, (_, i) => unicodeEscape(sign.charCodeAt(i))).join(''),
  );
}

function unicodeEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
