/** The audit trail read: its lines, whether it is whole, and what its sum still lacks (G1). */
import {
  type AuditLine,
  CHAIN_START,
  type ChainHead,
  type Complied,
  chainProblem,
  parseLine,
} from '../comply/index.ts';
import type { ComplyStore } from '../ports/comply-store.ts';
import type { TrailVerdict } from './comply-answers.ts';

/** Lines that cannot be read are left out: verifyTrail() names them. */
export async function* linesOf(comply: ComplyStore): AsyncIterable<AuditLine> {
  for await (const text of comply.trail()) {
    const line = parseLine(text);
    if (typeof line !== 'string') yield line;
  }
}

/** A trail that is whole and ends before the store's own head was cut. */
export async function verifyTrail(
  comply: ComplyStore,
  due: ChainHead,
  pending: number,
): Promise<TrailVerdict> {
  let head: ChainHead = CHAIN_START;
  for await (const text of comply.trail()) {
    const line = parseLine(text);
    const problem = chainProblem(line, head) ?? strange(line as AuditLine, due);
    if (problem !== undefined) return { lines: head.seq, bad: badLine(head, problem), pending };
    head = line as AuditLine;
  }
  if (head.seq >= due.seq) return { lines: head.seq, pending };
  const problem = `is missing: the trail was cut, ${due.seq} lines were written`;
  return { lines: head.seq, bad: badLine(head, problem), pending };
}

/** Lines whose writer died, or has yet to add them up. */
export async function takeIn(comply: ComplyStore, sum: Complied): Promise<void> {
  let nth = 0;
  const { seq } = sum.counts.head;
  for await (const text of comply.trail()) {
    if (nth++ < seq) continue;
    const line = parseLine(text);
    if (chainProblem(line, sum.counts.head) !== undefined) continue;
    await comply.save(sum.take(line as AuditLine));
  }
}

/** A trail that was written anew from some line on has another line where ours was the last. */
function strange({ seq, hash }: AuditLine, due: ChainHead): string | undefined {
  if (seq > due.seq) return 'was added by another than this program';
  return seq === due.seq && hash !== due.hash ? 'is not the line that was written' : undefined;
}

function badLine({ seq }: ChainHead, problem: string): { line: number; problem: string } {
  return { line: seq + 1, problem };
}
