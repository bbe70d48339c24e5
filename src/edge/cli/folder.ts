/**
 * Which crawl a reading command means: that of a cluster where one is configured and no folder
 * is named, else `--dir`, or the only crawl under `.orb/`.
 */
import { CrawlError } from '../../base/errors.ts';
import { isClustered, type Settings } from '../../config/index.ts';
import type { Answers } from '../../crawl/answers.ts';
import { safeText } from './format.ts';
import type { World } from './world.ts';

const HOME = '.orb';
const LISTED_MAX = 20;

export async function folderOf({ crawl }: Settings, world: World): Promise<string> {
  if (crawl.dir !== undefined) return crawl.dir;
  const found = await world.findCrawls(HOME);
  const [only] = found;
  if (only === undefined) {
    const message = `There is no crawl under ${HOME}/ in this folder.`;
    const hint = 'Name one with --dir, or begin one: orb crawl https://example.com/';
    throw new CrawlError('E_FOLDER_MISSING', message, hint);
  }
  if (found.length === 1) return only;
  const shown = found.slice(0, LISTED_MAX).map((dir) => safeText(dir, 60));
  const more = found.length > LISTED_MAX ? ` and ${found.length - LISTED_MAX} more` : '';
  throw new CrawlError(
    'E_USAGE',
    `There are ${found.length} crawls here: ${shown.join(', ')}${more}.`,
    `Say which one is meant: --dir ${shown[0]}`,
  );
}

/** Opens the folder for the time of `use`. */
export async function withAnswers<T>(
  settings: Settings,
  world: World,
  use: (answers: Answers, dir: string) => Promise<T>,
): Promise<T> {
  const isShared = isClustered(settings) && settings.crawl.dir === undefined;
  const dir = isShared ? `cluster ${settings.cluster.name}` : await folderOf(settings, world);
  const folder = await (isShared ? world.readCluster(settings) : world.readFolder(dir));
  try {
    return await use(folder.answers, dir);
  } finally {
    await folder.close();
  }
}
