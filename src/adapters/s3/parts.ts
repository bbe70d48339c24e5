/**
 * A large body in parts: an object only when the last step has succeeded. Parts of one that did
 * not are given up at once; those of a writer that died, by the bucket's rules (lifecycle.ts).
 */
import type { S3Line } from './driver.ts';

interface Target {
  readonly Bucket: string;
  readonly Key: string;
}

export async function writeParts(
  line: S3Line,
  object: Target,
  bytes: Uint8Array,
  partBytes: number,
  condition: { readonly IfNoneMatch?: string },
): Promise<void> {
  const { driver } = line;
  const { Bucket, Key } = object;
  const begin = new driver.CreateMultipartUploadCommand(object);
  const { UploadId } = await line.ask((client, asking) => client.send(begin, asking));
  const upload = { Bucket, Key, UploadId };
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
    for (let at = 0; at < bytes.length; at += partBytes) {
      const PartNumber = Parts.length + 1;
      const Body = bytes.subarray(at, at + partBytes);
      const part = new driver.UploadPartCommand({ ...upload, PartNumber, Body });
      const { ETag } = await line.ask((client, asking) => client.send(part, asking));
      Parts.push({ PartNumber, ETag });
    }
    const all = { ...upload, ...condition, MultipartUpload: { Parts } };
    await line.ask((client, asking) =>
      client.send(new driver.CompleteMultipartUploadCommand(all), asking),
    );
  } catch (error) {
    const end = new driver.AbortMultipartUploadCommand(upload);
    await line.ask((client, asking) => client.send(end, asking)).catch(() => undefined);
    throw error;
  }
}
