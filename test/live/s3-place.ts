/** An engine's address (`http://KEY:SECRET@host:port/bucket`) as the adapter wants it. */
import type { S3Place } from '../../src/adapters/s3/index.ts';

export function s3Place(address: string): S3Place {
  const { origin, username, password, pathname } = new URL(address);
  return {
    ...{ bucket: pathname.slice(1), endpoint: origin, pathStyle: true },
    credentials: { accessKeyId: username, secretAccessKey: password },
  };
}
