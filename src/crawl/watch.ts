/**
 * What pages leave while an erasure is under way: who needs a body that was to go, and which
 * pages a visit has overtaken. Kept by Settling (settle.ts), read by erase.ts and retain.ts.
 */
import type { Rules } from '../comply/index.ts';
import type { Settled } from '../ports/shard-store.ts';
import { decodeTrace, FLAGS, type UrlRecord } from '../record/index.ts';
import { renderedBodies } from './erase-parts.ts';

export class Watch {
  /** Hex hashes of the bodies that pages were settled with since. */
  readonly hashes = new Set<string>();
  /** By their keys: pages that are to be erased, and that a visit left without anything. */
  readonly overtaken = new Set<string>();
  /** Hex hashes of the bodies that those had before: no record names them any more. */
  readonly left = new Set<string>();

  /** Of pages that may stay: one that was denied on its way does not keep its own body. */
  note(settled: readonly Settled[], denials: Rules): void {
    for (const { record, trace } of settled) {
      if (record.contentHash.length === 0 || denials.meets(record.url) !== undefined) continue;
      this.hashes.add(hexOf(record));
      if ((record.flags & FLAGS.rendered) === 0 || trace === undefined) continue;
      for (const name of renderedBodies(decodeTrace(trace).rendering)) this.hashes.add(name);
    }
  }

  /** The endings as they came, before anything was taken from them. */
  noteOvertaken(
    endings: readonly { readonly settled?: Settled; readonly before?: UrlRecord }[],
    denials: Rules,
  ): void {
    if (denials.isEmpty) return;
    for (const { settled, before } of endings) {
      if (settled === undefined || denials.meets(settled.waiting.url)?.erases !== true) continue;
      if (before !== undefined && (before.flags & FLAGS.erased) !== 0) continue;
      this.overtaken.add(Buffer.from(settled.waiting.key).toString('latin1'));
      if (before !== undefined && before.contentHash.length > 0) this.left.add(hexOf(before));
    }
  }
}

function hexOf({ contentHash }: UrlRecord): string {
  return Buffer.from(contentHash).toString('hex');
}
