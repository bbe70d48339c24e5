/** For `orb doctor`: is the bucket there, and may we read, write and remove in it (B1, L6)? */
import { createHash } from 'node:crypto';
import { type EngineCheck, failedCheck } from '../../ports/engine-check.ts';
import { openS3Blobs, type S3BlobOptions, type S3BlobStore } from './blob-store.ts';

/** Nobody waits longer to be told. */
const PATIENCE = { attemptMs: 5_000, allMs: 5_000 };

export async function probeS3(options: S3BlobOptions): Promise<readonly EngineCheck[]> {
  let store: S3BlobStore | undefined;
  const bytes = Buffer.from(`orb doctor ${options.clock.now()}`);
  const hash = createHash('sha256').update(bytes).digest();
  try {
    store = await openS3Blobs({ ...options, patience: PATIENCE });
    await store.put([{ hash, bytes }]);
    await store.get(hash);
    await store.remove([hash]);
    const where = options.endpoint ?? 'Amazon S3';
    const what = `bucket ${options.bucket} at ${where} can be written, read and cleared`;
    return [{ name: 's3', state: 'ok', what }];
  } catch (error) {
    return [failedCheck('s3', error)];
  } finally {
    await store?.close();
  }
}
