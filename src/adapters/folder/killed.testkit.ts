/**
 * A child process that writes into a folder until it is killed: the contracts' kill -9.
 *
 *   node killed.testkit.ts blobs|events FOLDER
 */
import { putUntilKilled } from '../../ports/blob-store.contract.ts';
import { publishUntilKilled } from '../../ports/event-log.contract.ts';
import { MemoryBlobIndex } from './blob-index.ts';
import { openFolderBlobs } from './blob-store.ts';
import { openFolderEvents } from './event-log.ts';

const [what, folder] = process.argv.slice(2) as [string, string];
if (what === 'blobs') {
  const store = await openFolderBlobs({ folder, index: new MemoryBlobIndex() });
  await putUntilKilled(store);
} else {
  await publishUntilKilled(await openFolderEvents({ folder, segmentBytesMax: 200_000 }));
}
