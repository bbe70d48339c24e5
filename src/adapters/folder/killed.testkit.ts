/**
 * A child process that writes into a folder until it is killed: the contracts' kill -9.
 *
 *   node killed.testkit.ts blobs|events|warc FOLDER
 */
import { putUntilKilled } from '../../ports/archive.contract.ts';
import { putUntilKilled as putBlobsUntilKilled } from '../../ports/blob-store.contract.ts';
import { publishUntilKilled } from '../../ports/event-log.contract.ts';
import { MemoryBlobIndex } from './blob-index.ts';
import { openFolderBlobs } from './blob-store.ts';
import { openFolderEvents } from './event-log.ts';
import { openWarcArchive } from './warc-archive.ts';

const [what, folder] = process.argv.slice(2) as [string, string];
if (what === 'blobs') {
  const store = await openFolderBlobs({ folder, index: new MemoryBlobIndex() });
  await putBlobsUntilKilled(store);
} else if (what === 'warc') {
  const about = { prefix: 'orb', begunAt: 0, machine: 'a.test', seeds: [] };
  const series = { ...about, software: 'Orbweaver/1.0', userAgent: 'UA' };
  await putUntilKilled(await openWarcArchive({ folder, series, fileBytesMax: 100_000 }));
} else {
  await publishUntilKilled(await openFolderEvents({ folder, segmentBytesMax: 200_000 }));
}
