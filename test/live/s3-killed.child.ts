/** Puts bodies into a bucket until it is killed: the contract's kill -9. `node … URL PREFIX` */
import { systemClock } from '../../src/adapters/node/index.ts';
import { openS3Blobs } from '../../src/adapters/s3/index.ts';
import { putUntilKilled } from '../../src/ports/blob-store.contract.ts';
import { s3Place } from './s3-place.ts';

const clock = systemClock();
const [address, prefix] = process.argv.slice(2) as [string, string];
await putUntilKilled(await openS3Blobs({ clock, ...s3Place(address), prefix }));
