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
  const bytes = owned(made.packed.bytes);
  const trace = owned(made.trace);
  const message = { ...made, trace, packed: { codec: made.packed.codec, bytes } };
  return { message, transfer: [bytes.buffer, trace.buffer] };
}
