/**
 * A child process that writes originals into a folder until it is killed.
 *
 *   node killed.testkit.ts FOLDER
 */
import { writeUntilKilled } from '../../ports/near-index.contract.ts';
import { EmbeddedNearIndex, Lsm } from './index.ts';

const [dir] = process.argv.slice(2) as [string];
await writeUntilKilled(new EmbeddedNearIndex(await Lsm.open({ dir, syncAlways: false })));
