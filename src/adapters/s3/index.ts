/**
 * Bodies in S3 or any server that speaks it (B1).
 *
 *   blob-store.ts   openS3Blobs     content-addressed objects, written once
 *                   put.ts          a write, signed by sign.ts     pack.ts     compressed
 *                   lines.ts        over connections that are kept
 *                   parts.ts        large ones     driver.ts   the client     problems.ts   errors
 */
export { openS3Blobs, type S3BlobOptions, S3BlobStore } from './blob-store.ts';
export type { Patience, S3Place } from './driver.ts';
