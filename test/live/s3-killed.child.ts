/** Puts bodies into a bucket until it is killed: the contract's kill -9. `node … URL PREFIX` */
import { openS3Blobs } from '../../src/adapters/s3/index.ts';
import { putUntilKilled } from '../../src/ports/blob-store.contract.ts';
import { s3Place } from './s3-place.ts';

const [address, prefix] = process.argv.slice(2) as [string, string];
await putUntilKilled(await openS3Blobs({ ...s3Place(address), prefix }));
