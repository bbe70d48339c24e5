/**
 * Which crawl a folder holds, and whether this one may go on with it: the part of the composition
 * root that reads and writes a folder's `crawl.json`.
 */

import { Lsm } from './adapters/embedded/index.ts';
import {
  type CrawlManifest,
  emptyFolder,
  pathsOf,
  readManifest,
  writeFolder,
} from './adapters/folder/crawl-folder.ts';
import { systemClock } from './adapters/node/clock.ts';
import { CrawlError } from './base/errors.ts';
import {
  defaultSettings,
  ENTRIES,
  type Entry,
  identityDifferences,
  identityOf,
  isRefusal,
  resolveSettings,
  type Settings,
  valueIn,
  writeValue,
} from './config/index.ts';
import type { CrawlRequest } from './crawl/index.ts';
import { canonicalize } from './url/index.ts';

/** The settings of the folder's last run; secrets are not kept. */
export function settingsOf(manifest: Pick<CrawlManifest, 'settings'>): Settings {
  const given = ENTRIES.filter(isKept).flatMap(({ key, environment }) => {
    const value = manifest.settings[key];
    return value === undefined || value === '' ? [] : [[environment, value]];
  });
  const resolved = resolveSettings({ env: Object.fromEntries(given) });
  return isRefusal(resolved) ? defaultSettings() : resolved.settings;
}

/** A folder is one crawl of one process: how to print it, or a cluster, is no part of it. */
function isKept({ section }: Entry): boolean {
  return !['output', 'cluster', 'broker'].includes(section);
}

function toldSettings(settings: Settings): Record<string, string> {
  const kept = ENTRIES.filter((entry) => isKept(entry) && !entry.setting.secret);
  return Object.fromEntries(kept.map((e) => [e.key, writeValue(e, valueIn(settings, e))]));
}

export interface OpenManifest {
  readonly crawl: Omit<CrawlManifest, 'format'>;
  readonly isResumed: boolean;
  readonly settings: Settings;
}

/**
 * The folder's own crawl, or a new one; a folder of another crawl is refused. What crawl a node of a
 * ring is part of is not in its folder: `isShared`.
 */
export async function openManifest(request: CrawlRequest, isShared = false): Promise<OpenManifest> {
  const { dir } = request;
  const asked = [...new Set(request.seeds.map((seed) => canonicalize(seed) ?? seed))];
  const { fresh } = request.settings.crawl;
  const there = fresh ? await throwAway(dir) : await readManifest(dir);
  const settings = request.asMade && there ? madeWith(request.settings, there) : request.settings;
  const identity = identityOf(settings);
  if (there !== undefined && !isShared) refuseOther(there, asked, identity, dir);
  const createdAt = there?.createdAt ?? new Date(systemClock().now()).toISOString();
  const crawl = {
    seeds: there?.seeds ?? asked,
    identity,
    settings: toldSettings(settings),
    createdAt,
  };
  if (there === undefined) await writeFolder(dir, crawl);
  return { crawl, isResumed: there !== undefined, settings };
}

/** The folder's own crawl goes on: what makes it that crawl is as it was made. */
export function madeWith(settings: Settings, there: Pick<CrawlManifest, 'settings'>): Settings {
  const made = settingsOf(there);
  const merged = structuredClone(settings) as Record<string, Record<string, unknown>>;
  for (const entry of ENTRIES.filter(({ setting }) => setting.identity === true)) {
    const section = merged[entry.section];
    if (section !== undefined) section[entry.property] = valueIn(made, entry);
  }
  return merged as unknown as Settings;
}

function refuseOther(
  there: CrawlManifest,
  asked: readonly string[],
  identity: Readonly<Record<string, string>>,
  dir: string,
): void {
  const hint = 'choose another folder with --dir, or --fresh to throw this crawl away';
  const isOther = asked.length > 0 && asked.join('\n') !== there.seeds.join('\n');
  if (isOther) {
    const seeds = there.seeds.slice(0, 3).join(', ');
    throw new CrawlError(
      'E_FOLDER_SETTINGS',
      `${dir} holds a crawl of ${seeds}, not of these seeds`,
      hint,
    );
  }
  const differences = identityDifferences(there.identity, identity);
  if (differences.length === 0) return;
  const list = differences.map(
    (d) => `${d.flag} was ${d.was || 'not set'} and is now ${d.now || 'not set'}`,
  );
  throw new CrawlError(
    'E_FOLDER_SETTINGS',
    `${dir} was made with other settings: ${list.join('; ')}`,
    hint,
  );
}

/** Empties a crawl's folder, also a damaged one; not that of another thing, nor one in use. */
async function throwAway(dir: string): Promise<undefined> {
  const letDamaged = (error: unknown) => {
    if (!(error instanceof CrawlError && error.code === 'E_STORE_DAMAGED')) throw error;
    return 'damaged' as const;
  };
  if ((await readManifest(dir).catch(letDamaged)) === undefined) return;
  await refuseIfOpen(dir).catch(letDamaged);
  await emptyFolder(dir);
}

/** A crawl that runs in the folder holds the store's lock. */
async function refuseIfOpen(dir: string): Promise<void> {
  const lsm = await Lsm.open({ dir: pathsOf(dir).store, syncAlways: false });
  await lsm.close();
}

export function sitemapSeed(settings: Settings): string | undefined {
  const { sitemap } = settings.crawl;
  return sitemap === 'auto' || sitemap === 'never' ? undefined : canonicalize(sitemap);
}

/** A crawl that begins at a sitemap has the sitemap's host for its scope. */
export function scopeSeeds(settings: Settings, seeds: readonly string[]): readonly string[] {
  const map = sitemapSeed(settings);
  return map === undefined ? seeds : [...seeds, map];
}
