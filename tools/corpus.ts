/**
 * Real pages to measure and to check against: the HTML documentation in three Debian packages.
 *
 *   npm run corpus      fetches what isn't installed, into .cache/corpus
 *
 * Packages that are installed under /usr/share/doc are used where they are. The rest is
 * downloaded with `apt-get download` and unpacked with `dpkg -x`; nothing is installed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PACKAGES = ['openjdk-17-doc', 'python3.11-doc', 'postgresql-doc-15'] as const;

const CACHE = join(dirname(fileURLToPath(import.meta.url)), '..', '.cache', 'corpus');
const INSTALLED = join('/usr', 'share', 'doc');

export interface CorpusPage {
  readonly url: string;
  readonly body: Buffer;
}

/** Where a package's documentation is, if it is anywhere. */
function folderOf(name: string): string | undefined {
  for (const root of [INSTALLED, join(CACHE, name, 'usr', 'share', 'doc')]) {
    const folder = join(root, name);
    if (existsSync(folder)) return folder;
  }
  return undefined;
}

/** `count` pages spread evenly over the packages that are here; the same ones every time. */
export function corpusPages(count: number): CorpusPage[] {
  const files: { path: string; url: string }[] = [];
  for (const name of PACKAGES) {
    const folder = folderOf(name);
    if (folder === undefined) continue;
    for (const path of htmlFiles(folder)) {
      files.push({ path, url: `https://${name}.test/${encodeURI(relative(folder, path))}` });
    }
  }
  const step = Math.max(1, files.length / count);
  const pages: CorpusPage[] = [];
  for (let i = 0; i < files.length && pages.length < count; i += step) {
    const file = files[Math.floor(i)];
    if (file !== undefined) pages.push({ url: file.url, body: readFileSync(file.path) });
  }
  return pages;
}

/** Documentation folders link to each other, so each real folder is walked once. */
function htmlFiles(folder: string, seen = new Set<string>()): string[] {
  const real = realpathSync(folder);
  if (seen.has(real)) return [];
  seen.add(real);
  const files: string[] = [];
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...htmlFiles(path, seen));
    else if (entry.isSymbolicLink() && isFolder(path)) files.push(...htmlFiles(path, seen));
    else if (entry.isFile() && /\.html?$/.test(entry.name)) files.push(path);
  }
  return files;
}

function isFolder(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch {
    return false;
  }
}

function fetchPackage(name: string): void {
  const folder = join(CACHE, name);
  mkdirSync(folder, { recursive: true });
  execFileSync('apt-get', ['download', name], { cwd: folder, stdio: 'inherit' });
  for (const file of readdirSync(folder).filter((entry) => entry.endsWith('.deb'))) {
    execFileSync('dpkg', ['-x', file, '.'], { cwd: folder, stdio: 'inherit' });
    rmSync(join(folder, file));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of PACKAGES) {
    if (folderOf(name) === undefined) fetchPackage(name);
    process.stdout.write(`${name}: ${folderOf(name) ?? 'not found after download'}\n`);
  }
}
