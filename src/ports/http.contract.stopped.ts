/** The last promise of the `Http` port: a process that was stopped in the middle of a request. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { askOf, failed, withServer } from './http.contract.asking.ts';
import { page } from './http.contract.raw.ts';
import type { Http } from './http.ts';

const CONNECT_MS = 50;

export function stopped(http: () => Http): void {
  it('promise 6: stopped as it connects, for longer than that may take: nothing is written', () =>
    withServer(
      (socket) => socket.end(page('never')),
      async (server) => {
        const asked = askOf(http(), server, { limits: { connectMs: CONNECT_MS } });
        standStill(4 * CONNECT_MS);
        const { reason } = failed(await asked);
        assert.deepEqual([reason, server.seen.heads], ['connect-timeout', []]);
      },
    ));
}

/** Nothing runs in this process, while the kernel connects. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
