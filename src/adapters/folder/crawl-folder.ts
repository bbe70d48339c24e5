/**
 * A crawl folder: one crawl, whole, to be moved, copied and gone on with.
 *
 *   crawl.json   what crawl this is: seeds and the settings that make it that crawl
 *   store/       LSM: urls, hosts, queue      bodies/   packs of compressed bodies
 *   events/      every fetch, JSON lines      traces/   packs of headers and links
 *   rank/        the graph of hosts, to rate them by    jobs/   what was asked while it ran
 *   warc/        what servers answered, with --warc (B6)
 *   audit.jsonl  who decided what about whose pages (G1)
 *   filter.bin   seen filter, after a clean end         clean   the last run ended by itself
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CrawlError } from '../../base/errors.ts';
import { diskError } from './disk.ts';

const FORMAT = 1;
const PARTS = [
  'crawl.json',
  'crawl.json.new',
  'store',
  'bodies',
  'events',
  'traces',
  'rank',
  'readers',
  'warc',
  'audit.jsonl',
  'filter.bin',
  'clean',
  'jobs',
  'orb.sock',
  // Of a node of a ring (ring-folder.ts).
  ...['ring.json', 'ring.json.new', 'ring.key', 'ring.secret'],
];

export interface FolderPaths {
  readonly store: string;
  readonly bodies: string;
  readonly traces: string;
  readonly events: string;
  readonly filter: string;
  readonly rank: string;
  /** How far readers of the events have come. */
  readonly readers: string;
  readonly audit: string;
  /** What defines jobs (job-book.ts). */
  readonly jobs: string;
  /** WARC files that were written as the crawl went. */
  readonly warc: string;
}

export interface CrawlManifest {
  readonly format: number;
  readonly seeds: readonly string[];
  readonly identity: Readonly<Record<string, string>>;
  /** All settings of the last run but secrets, so that `orb why` can tell its rules. */
  readonly settings: Readonly<Record<string, string>>;
  readonly createdAt: string;
}

export function pathsOf(dir: string): FolderPaths {
  return {
    store: join(dir, 'store'),
    bodies: join(dir, 'bodies'),
    traces: join(dir, 'traces'),
    events: join(dir, 'events'),
    filter: join(dir, 'filter.bin'),
    rank: join(dir, 'rank'),
    readers: join(dir, 'readers'),
    audit: join(dir, 'audit.jsonl'),
    jobs: join(dir, 'jobs'),
    warc: join(dir, 'warc'),
  };
}

/** Undefined when the folder is empty or absent; refuses a folder of something else. */
export async function readManifest(dir: string): Promise<CrawlManifest | undefined> {
  const text = await readOrNothing(join(dir, 'crawl.json'));
  if (text !== undefined) return parseManifest(text, dir);
  const names = await entries(dir);
  if (names.some((name) => !PARTS.includes(name))) {
    throw new CrawlError(
      'E_FOLDER_FOREIGN',
      `${dir} has files in it that are not a crawl's`,
      'choose an empty folder or a new name with --dir',
    );
  }
  // A start that was cut off leaves empty parts; a store with something in it has lost its name.
  if (names.includes('store') && (await entries(join(dir, 'store'))).length > 0) {
    throw new CrawlError(
      'E_STORE_DAMAGED',
      `${join(dir, 'crawl.json')} is missing`,
      'restore it from a copy, or begin anew with --fresh',
    );
  }
  return undefined;
}

function parseManifest(text: string, dir: string): CrawlManifest {
  let manifest: CrawlManifest;
  try {
    manifest = JSON.parse(text) as CrawlManifest;
  } catch (error) {
    throw new CrawlError(
      'E_STORE_DAMAGED',
      `${join(dir, 'crawl.json')} is not JSON`,
      'restore it from a copy, or begin anew with --fresh',
      error,
    );
  }
  if (manifest.format !== FORMAT) {
    throw new CrawlError(
      'E_FOLDER_FOREIGN',
      `${dir} was made by another version (format ${manifest.format})`,
      'use that version, or another folder',
    );
  }
  return manifest;
}

/** Makes the folder's parts where they are missing, and says what crawl it is. */
export async function writeFolder(
  dir: string,
  crawl: Omit<CrawlManifest, 'format'>,
): Promise<void> {
  const manifest = { format: FORMAT, ...crawl };
  const path = join(dir, 'crawl.json');
  try {
    for (const part of ['store', 'bodies', 'traces', 'events']) {
      await makeFolder(join(dir, part));
    }
    await writeFile(`${path}.new`, `${JSON.stringify(manifest, undefined, 2)}\n`);
    await rename(`${path}.new`, path);
  } catch (error) {
    throw diskError(error, dir);
  }
}

/** Node's own, when recursive, says ENOENT on a read-only disk and never ends under /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path);
  }
}

/** Removes the parts of a crawl, and nothing else. */
export async function emptyFolder(dir: string): Promise<void> {
  for (const part of PARTS) await rm(join(dir, part), { recursive: true, force: true });
}

/** Whether the last run ended by itself; asks once, because from now on this run counts. */
export async function takeCleanMark(dir: string, known?: number): Promise<boolean> {
  const isThere = await hasCleanMark(dir, known);
  await rm(join(dir, 'clean'), { force: true });
  return isThere;
}

/**
 * Refuses a store that knows another number of URLs than the last run left in it: the engine
 * itself passes over a log that was damaged or deleted, and the crawl would begin again.
 */
export async function hasCleanMark(dir: string, known?: number): Promise<boolean> {
  const text = await readOrNothing(join(dir, 'clean'));
  if (text === undefined) return false;
  if (text === '' || known === undefined || Number(text) === known) return true;
  throw new CrawlError(
    'E_STORE_DAMAGED',
    `the store in ${join(dir, 'store')} is damaged: it knows ${known} URLs, and the last run left ${text}`,
    'restore the folder from a copy, or throw this crawl away and begin anew with --fresh',
  );
}

export async function leaveCleanMark(dir: string, known?: number): Promise<void> {
  await writeFile(join(dir, 'clean'), String(known ?? ''));
}

/** Opens nothing and changes nothing. */
export async function isCrawlFolder(dir: string): Promise<boolean> {
  const isFile = await stat(join(dir, 'crawl.json')).then(
    (s) => s.isFile(),
    () => false,
  );
  return (
    isFile &&
    stat(join(dir, 'store')).then(
      (s) => s.isDirectory(),
      () => false,
    )
  );
}

async function readOrNothing(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw diskError(error, path);
  }
}

async function entries(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENOENT') return [];
    if (code === 'ENOTDIR') {
      throw new CrawlError(
        'E_FOLDER_FOREIGN',
        `${dir} is a file, not a folder`,
        'choose another name with --dir',
        error,
      );
    }
    throw diskError(error, dir);
  }
}
