import { join } from 'node:path';
import { bookmarksContract } from '../../ports/bookmarks.contract.ts';
import { FolderBookmarks } from './bookmarks.ts';
import { scratchFolder } from './scratch.testkit.ts';

bookmarksContract('folder', async () => {
  const folder = join(await scratchFolder(), 'marks');
  return () => new FolderBookmarks(folder);
});
