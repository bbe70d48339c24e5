/**
 * The dashboard's files: a handful, small, held in memory.
 *
 * A package carries them in dist/dashboard. Where the sources are, they are built in memory
 * each time a process first needs them, so that nobody looks at an old build; without vite
 * (`npm ci --omit=dev`) the last build is taken.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CrawlError } from '../../base/errors.ts';

/** Bytes by path: `/index.html`, `/assets/index-a1b2c3.js`. */
export type DashboardFiles = ReadonlyMap<string, Uint8Array>;

export interface DashboardFile {
  readonly bytes: Uint8Array;
  readonly type: string;
  /** The value of Cache-Control: names with a hash never change. */
  readonly cache: string;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
};

const HASHED = /-[\w-]{8}\.\w+$/;

export function dashboardFile(files: DashboardFiles, path: string): DashboardFile | undefined {
  const name = path === '/' ? '/index.html' : path;
  const bytes = files.get(name);
  if (bytes === undefined) return undefined;
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  const cache = HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache';
  return { bytes, type, cache };
}

const BUILT_HERE = fileURLToPath(new URL('../../../dashboard', import.meta.url));
const BUILT_BESIDE = fileURLToPath(new URL('../../../dist/dashboard', import.meta.url));
const BUILDER = new URL('../../../tools/build-dashboard.ts', import.meta.url);

interface Builder {
  buildDashboard(): Promise<DashboardFiles>;
}

export async function openDashboard(): Promise<DashboardFiles> {
  if (existsSync(BUILDER)) {
    const builder = await (import(BUILDER.href) as Promise<Builder>).catch(() => undefined);
    if (builder !== undefined) return builder.buildDashboard();
  }
  const dir = [BUILT_HERE, BUILT_BESIDE].find((one) => existsSync(join(one, 'index.html')));
  if (dir !== undefined) return readFiles(dir);
  const hint = 'Build it with `npm run build`; the API answers without it.';
  throw new CrawlError('E_CONFIG', 'The dashboard is not in this package', hint);
}

function readFiles(dir: string): DashboardFiles {
  const names = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    names.map((name) => [name.slice(dir.length).replaceAll('\\', '/'), readFileSync(name)]),
  );
}
