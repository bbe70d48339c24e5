/** New files in memory: the reference, and those of tests. */
import { CrawlError } from '../../base/errors.ts';
import type { NewFile, NewFiles, ScratchFiles } from '../../ports/new-files.ts';
import { MemoryRunFiles } from './run-files.ts';

export class MemoryNewFiles implements NewFiles {
  /** Whole files by name. */
  readonly files = new Map<string, Buffer>();

  async create(path: string): Promise<NewFile> {
    if (this.files.has(path)) throw taken(path);
    let bytes: Buffer[] = [];
    return {
      write: async (more) => void bytes.push(Buffer.from(more)),
      patch: async (at, more) => {
        const all = Buffer.concat(bytes);
        all.set(more, at);
        bytes = [all];
      },
      done: async () => {
        if (this.files.has(path)) throw taken(path);
        this.files.set(path, Buffer.concat(bytes));
      },
      cancel: async () => {},
    };
  }

  async claimFolder(path: string): Promise<void> {
    for (const name of this.files.keys()) if (name.startsWith(`${path}/`)) throw taken(path);
  }

  async remove(path: string): Promise<void> {
    this.files.delete(path);
  }

  async scratch(): Promise<ScratchFiles> {
    return { runs: new MemoryRunFiles(), close: async () => {} };
  }
}

function taken(path: string): CrawlError {
  const hint = 'Choose another name with --out, or remove it first.';
  return new CrawlError('E_OUTPUT_EXISTS', `${path} is there already.`, hint);
}
