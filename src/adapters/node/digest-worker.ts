/**
 * The thread of `worker-pool.ts` and `document-thread.ts`: digests what it is sent, and sends back
 * the digest. A thread for documents loads the user's plugins first, and says which is reading:
 * one that hangs can be named.
 */
import { parentPort, type Transferable, workerData } from 'node:worker_threads';
import { type Digest, digest, type RawPage, type Readers } from '../../content/index.ts';
import { BUILT_IN } from '../../document/index.ts';
import { owned } from './owned.ts';
import { importPlugins } from './plugin-files.ts';

const modules: readonly string[] | undefined = workerData?.plugins;
const readers: Readers | undefined = modules && {
  plugins: [...(await importPlugins(modules)), ...BUILT_IN],
  onPlugin: (plugin) => parentPort?.postMessage({ plugin }),
};

parentPort?.on('message', ({ id, page }: { id: number; page: RawPage }) => {
  try {
    const { message, transfer } = movable(digest(page, readers));
    parentPort?.postMessage({ id, digest: message }, transfer);
  } catch (error) {
    parentPort?.postMessage({ id, error: (error as Error).message });
  }
});
if (readers !== undefined) parentPort?.postMessage({ isReady: true });

function movable(made: Digest): { message: Digest; transfer: Transferable[] } {
  const body = owned(made.body);
  const trace = owned(made.trace);
  return { message: { ...made, body, trace }, transfer: [body.buffer, trace.buffer] };
}
