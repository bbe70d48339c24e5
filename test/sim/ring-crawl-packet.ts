/**
 * What nodes of the simulated ring say to each other: about arcs, mentions and loans, and how many
 * bytes that would be.
 */
import type { NodeId } from '../../src/ring/arc-log.ts';
import type { ArcMessage } from '../../src/ring/arc-messages.ts';
import type { Loan } from '../../src/ring/owner-lend.ts';
import { type Body, ROW_BYTES, type Row } from './ring-crawl-copy.ts';
import type { Packet } from './ring-crawl-net.ts';

export type RingPacket = Packet &
  (
    | { readonly kind: 'arc'; readonly arc: number; readonly message: ArcMessage }
    | {
        readonly kind: 'deliver';
        readonly arc: number;
        readonly id: number;
        readonly bodies: readonly Body[];
      }
    | { readonly kind: 'accepted'; readonly id: number }
    | { readonly kind: 'offer'; readonly arc: number; readonly host: number }
    | {
        readonly kind: 'borrow';
        readonly arc: number;
        readonly host: number;
        readonly askedAt: number;
      }
    | {
        readonly kind: 'loan';
        readonly arc: number;
        readonly page: number;
        readonly loan: Loan;
        readonly askedAt: number;
      }
    | { readonly kind: 'elsewhere'; readonly id: number; readonly owner: NodeId | undefined }
  );

const HEAD_BYTES = 48;
const SUM_BYTES = 8;

export function bytesOf(message: ArcMessage): number {
  if (message.kind === 'append') return HEAD_BYTES + ROW_BYTES * message.entries.length;
  if (message.kind === 'rows') return HEAD_BYTES + ROW_BYTES * (message.rows as Row[]).length;
  if (message.kind === 'sums') return HEAD_BYTES + SUM_BYTES * message.sums.length;
  return HEAD_BYTES;
}
