/** Every byte of a crawl folder, packs undone: to show that something is in none of its files. */
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expand } from '../../src/adapters/folder/blocks.ts';
import { Packs } from '../../src/adapters/folder/pack.ts';
import { type Cleanup, scratch } from './place.ts';

/** The files, or places in packs, that hold one of the texts. */
export async function placesOf(t: Cleanup, dir: string, texts: readonly string[]) {
  const copy = join(await scratch(t), 'bytes');
  await cp(dir, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') });
  const found: string[] = [];
  const look = (name: string, bytes: Uint8Array) => {
    const all = Buffer.from(bytes);
    for (const text of texts) if (all.includes(text)) found.push(`${name}: ${text.slice(0, 40)}`);
  };
  for (const name of await readdir(copy, { recursive: true, withFileTypes: true })) {
    if (name.isFile()) look(name.name, await readFile(join(name.parentPath, name.name)));
  }
  for (const part of ['bodies', 'traces']) {
    const packs = await Packs.open({ folder: join(copy, part) });
    for await (const { record } of packs.scan()) if (record) look(part, await expand(record));
    await packs.close();
  }
  return found;
}
