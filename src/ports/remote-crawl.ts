/**
 * A crawl that runs elsewhere, behind the API of one of its nodes: seeds for it, and how far they
 * have come (A1).
 *
 * Promises:
 *   1. begin() with the same key is one job, however often it is called.
 *   2. Who cannot be reached is E_RING_DOWN, who says no is E_RING_REFUSED: with what it said.
 */
export interface RemoteCrawl {
  begin(call: RemoteCall, key: string): Promise<RemoteReceipt>;
  job(id: string): Promise<RemoteJob>;
}

export interface RemoteCall {
  readonly urls: readonly string[];
  readonly depth?: number;
  readonly scope?: string;
  readonly pagesMax?: number;
  readonly hoursMax?: number;
}

export interface RemoteReceipt {
  readonly id: string;
  readonly queued: number;
  readonly known: number;
  readonly refused: readonly { readonly url: string; readonly reason: string }[];
}

export interface RemoteJob {
  readonly state: 'running' | 'paused' | 'done' | 'cancelled';
  /** 'finished', or the limit that was reached. */
  readonly endedBy: string;
  readonly named: number;
  readonly waiting: number;
  readonly fetched: number;
  readonly failed: number;
  readonly skipped: number;
  readonly bytes: number;
}
