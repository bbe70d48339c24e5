/** The thread of `worker-pool.ts`: digests what it is sent, and sends back the digest. */
import { parentPort, type Transferable } from 'node:worker_threads';
import { type Digest, digest, type RawPage } from '../../content/index.ts';
import { owned } from './owned.ts';

parentPort?.on('message', ({ id, page }: { id: number; page: RawPage }) => {
  try {
    const { message, transfer } = movable(digest(page));
    parentPort?.postMessage({ id, digest: message }, transfer);
  } catch (error) {
    parentPort?.postMessage({ id, error: (error as Error).message });
  }
});

function movable(made: Digest): { message: Digest; transfer: Transferable[] } {
  const body = owned(made.body);
  return { message: { ...made, body }, transfer: [body.buffer] };
}
