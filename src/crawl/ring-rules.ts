/**
 * What all nodes of a ring must have alike: how many copies, what is waited for, how long a term is.
 * A seat that counts a shorter term than an owner would choose another while that one still acts,
 * so whoever wants in asks before it joins (D4, P5).
 *
 *   {"copies":3,"awaits":"admissions","termMs":9000}
 */
import type { ArcRules } from '../ring/index.ts';

export type SharedRules = Pick<ArcRules, 'copies' | 'awaits' | 'termMs'>;

const AWAITED: readonly ArcRules['awaits'][] = ['nothing', 'admissions', 'everything'];

export function encodeRules({ copies, awaits, termMs }: SharedRules): Uint8Array {
  return Buffer.from(JSON.stringify({ copies, awaits, termMs }));
}

/** Undefined when it is no such thing. */
export function decodeRules(bytes: Uint8Array): SharedRules | undefined {
  try {
    const it = JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>;
    const { copies, termMs } = it;
    const awaits = AWAITED.find((one) => one === it.awaits);
    const areNumbers = Number.isSafeInteger(copies) && Number.isSafeInteger(termMs);
    if (awaits === undefined || !areNumbers) return undefined;
    return { copies: copies as number, awaits, termMs: termMs as number };
  } catch {
    return undefined;
  }
}
