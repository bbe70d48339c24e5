/** The geo-IP table on a disk (K4): read whole, once, when a node starts. */
import { readFile, stat } from 'node:fs/promises';
import { CrawlError } from '../../base/errors.ts';
import { type GeoTable, isGeoProblem, readGeoTable } from '../../region/index.ts';

/** More than five million networks need. */
const FILE_BYTES_MAX = 256 << 20;

export async function readGeoFile(path: string): Promise<GeoTable> {
  const table = readGeoTable(await textOf(path));
  if (!isGeoProblem(table)) return table;
  const { line, problem } = table;
  const hint = 'Each line is network,region such as 192.0.2.0/24,eu; nothing was started.';
  throw new CrawlError('E_CONFIG', `Line ${line} of ${path} (--geo-ip) ${problem}.`, hint);
}

async function textOf(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size <= FILE_BYTES_MAX) return await readFile(path, 'utf8');
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const what = code === 'ENOENT' ? 'does not exist' : `cannot be read (${message})`;
    const hint = 'Give a file with lines of network,region, or leave --geo-ip out.';
    throw new CrawlError('E_CONFIG', `${path} (--geo-ip) ${what}.`, hint, error);
  }
  const hint = 'Name larger networks: a table of regions needs no more than those differ.';
  throw new CrawlError('E_CONFIG', `${path} (--geo-ip) is larger than 256 MB.`, hint);
}
