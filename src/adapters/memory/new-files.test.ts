import { newFilesContract } from '../../ports/new-files.contract.ts';
import { MemoryNewFiles } from './new-files.ts';

newFilesContract('memory', async () => {
  const files = new MemoryNewFiles();
  return {
    files,
    read: async (path) => files.files.get(path),
    names: async () => [...files.files.keys()],
  };
});
