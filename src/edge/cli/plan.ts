/**
 * What `orb crawl` is going to do, before it does it: seeds from everywhere, and the folder.
 *
 *   arguments ─┐
 *   -i FILE   ─┼─> seeds ─> folder: --dir, or .orb/HOST of the first seed
 *   stdin     ─┘            no seeds, but a folder that holds a crawl: go on with its own
 *
 * Mistakes of all places come out together.
 */
import {
  type Mistake,
  type Refusal,
  type Resolution,
  type Settings,
  seedMistake,
} from '../../config/index.ts';
import type { RecrawlQuery } from '../../crawl/ask-recrawl.ts';
import { hostOf } from '../../url/index.ts';
import { safeText } from './format.ts';
import type { World } from './world.ts';

export interface CrawlPlan {
  readonly settings: Settings;
  readonly explicit: Resolution['explicit'];
  readonly dir: string;
  readonly seeds: readonly string[];
  /** Seeds that stood on the command line, to be repeated in the command that resumes. */
  readonly typedSeeds: readonly string[];
  /** The folder holds a crawl already. */
  readonly isThere: boolean;
  /** Pages to begin with, of those that the folder knows. */
  readonly again?: RecrawlQuery;
}

const MISTAKES_SHOWN = 20;

export async function planCrawl(
  resolution: Resolution,
  world: World,
): Promise<CrawlPlan | Refusal> {
  const { settings, explicit, seeds: typedSeeds } = resolution;
  const given = settings.crawl.dir;
  const wasThere = given !== undefined && (await world.isCrawl(given));
  const seeds = await seedsOf(resolution, wasThere, world);
  if ('mistakes' in seeds) return seeds;
  const start = seeds[0] ?? sitemapOf(settings);
  if (start === undefined && !wasThere) return { mistakes: [nothingToCrawl(given)] };
  const dir = given ?? folderFor(start as string);
  const isThere = given === undefined ? await world.isCrawl(dir) : wasThere;
  return { settings, explicit, dir, seeds, typedSeeds, isThere };
}

/** From the command line, a file or standard input, each once. */
export async function seedsOf(
  resolution: Resolution,
  wasThere: boolean,
  world: World,
): Promise<readonly string[] | Refusal> {
  const read = await readSeeds(resolution, wasThere, world);
  return 'mistakes' in read ? read : [...new Set([...resolution.seeds, ...read])];
}

/** Seeds from a file or from standard input, all bad lines reported. */
async function readSeeds(
  { settings, seeds }: Resolution,
  wasThere: boolean,
  world: World,
): Promise<readonly string[] | Refusal> {
  const { input } = settings.crawl;
  const hasStart = seeds.length > 0 || wasThere || sitemapOf(settings) !== undefined;
  const isPiped = input === undefined && !hasStart && !world.stdin.isTTY;
  if (input === undefined && !isPiped) return [];
  const isStdin = isPiped || input === '-';
  const name = isStdin ? 'standard input' : (input as string);
  return seedLines(name, isStdin ? world.stdin.lines() : world.readLines(input as string));
}

async function seedLines(
  name: string,
  lines: AsyncIterable<string>,
): Promise<readonly string[] | Refusal> {
  const seeds: string[] = [];
  const mistakes: Mistake[] = [];
  let number = 0;
  let wrong = 0;
  for await (const raw of lines) {
    number++;
    const line = raw.replace(/^\ufeff/, '').trim();
    if (line === '' || line.startsWith('#')) continue;
    const [mistake] = seedMistake(line);
    if (mistake === undefined) seeds.push(line);
    else if (++wrong <= MISTAKES_SHOWN) mistakes.push(atLine(mistake, name, number));
  }
  if (wrong > MISTAKES_SHOWN) mistakes.push(andMore(name, wrong - MISTAKES_SHOWN));
  return mistakes.length > 0 ? { mistakes } : seeds;
}

function atLine(mistake: Mistake, name: string, line: number): Mistake {
  return { ...mistake, message: `${safeText(name, 100)}, line ${line}: ${mistake.message}` };
}

function andMore(name: string, count: number): Mistake {
  const message = `${safeText(name, 100)}: ${count} more lines are no seeds.`;
  return { code: 'E_SEED', message, hint: 'Write one http: or https: URL a line.' };
}

function nothingToCrawl(dir: string | undefined): Mistake {
  const message =
    dir === undefined
      ? 'There is nothing to crawl.'
      : `There is nothing to crawl: no seeds, and ${safeText(dir)} holds no crawl to go on with.`;
  const hint = 'Give a URL: orb crawl https://example.com/, or a file of them with -i FILE.';
  return { code: 'E_SEED', message, hint };
}

/** The sitemap that was named, if one was. */
export function sitemapOf({ crawl }: Settings): string | undefined {
  return crawl.sitemap === 'auto' || crawl.sitemap === 'never' ? undefined : crawl.sitemap;
}

/** `.orb/HOST`; a port or an IPv6 address is spelled so that every file system takes it. */
export function folderFor(seed: string): string {
  const host = hostOf(new URL(seed).href);
  return `.orb/${host.replaceAll(/[[\]]/g, '').replaceAll(':', '_')}`;
}
