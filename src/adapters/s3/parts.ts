/**
 * A large body in parts: an object only when the last step has succeeded. Parts of one that did
 * not are given up at once; those of a writer that died, by the bucket's rules (lifecycle.ts).
 */
import type { S3Client } from '@aws-sdk/client-s3';
import { type Driver, type Patience, within } from './driver.ts';

export interface S3Line {
  readonly driver: Driver;
  readonly client: S3Client;
  readonly patience: Patience;
}

interface Target {
  readonly Bucket: string;
  readonly Key: string;
}

export async function writeParts(
  { driver, client, patience }: S3Line,
  object: Target,
  bytes: Uint8Array,
  partBytes: number,
  condition: { readonly IfNoneMatch?: string },
): Promise<void> {
  const { Bucket, Key } = object;
  const begin = new driver.CreateMultipartUploadCommand(object);
  const { UploadId } = await client.send(begin, within(patience));
  const upload = { Bucket, Key, UploadId };
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
    for (let at = 0; at < bytes.length; at += partBytes) {
      const PartNumber = Parts.length + 1;
      const Body = bytes.subarray(at, at + partBytes);
      const part = new driver.UploadPartCommand({ ...upload, PartNumber, Body });
      const { ETag } = await client.send(part, within(patience));
      Parts.push({ PartNumber, ETag });
    }
    const all = { ...upload, ...condition, MultipartUpload: { Parts } };
    await client.send(new driver.CompleteMultipartUploadCommand(all), within(patience));
  } catch (error) {
    const end = new driver.AbortMultipartUploadCommand(upload);
    await client.send(end, within(patience)).catch(() => undefined);
    throw error;
  }
}
