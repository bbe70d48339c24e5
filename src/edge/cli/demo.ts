/**
 * `orb demo`: the whole job against a web on this machine, then the web's own truth beside it.
 */
import { exitCode, isRefusal, type Resolution, resolveSettings } from '../../config/index.ts';
import { runCrawl } from './crawl.ts';
import { formatNumber, jsonLine, safeText } from './format.ts';
import type { CrawlPlan } from './plan.ts';
import { shellWord } from './resume.ts';
import type { DemoJudgement, DemoWeb, World } from './world.ts';

const DEMO_DIR = '.orb/demo';

export async function demoCommand(
  argv: readonly string[],
  { settings: asked }: Resolution,
  world: World,
): Promise<number> {
  const web = await world.openDemoWeb();
  try {
    const plan = planDemo(argv, web, world);
    const { exitCode: code, summary } = await runCrawl(plan, world);
    if (summary === undefined || summary.end === 'stopped') return code;
    const isWhole = plan.settings.limits.limit === 0;
    const rows = compare(await web.judge(), plan, isWhole);
    const text = asked.output.json ? rows.map(jsonLine).join('') : tableText(rows, plan.dir);
    await world.stdout.write(text);
    return rows.every((row) => row.ok) ? code : exitCode('failed');
  } finally {
    await web.close();
  }
}

/** The person's own flags win over what the demo web asks for. */
function planDemo(argv: readonly string[], web: DemoWeb, world: World): CrawlPlan {
  const given = resolveSettings({ argv, env: world.env, operands: 'any' });
  if (isRefusal(given)) throw new Error('broken invariant: the demo was given good flags');
  const { explicit } = given;
  const isAsked = (name: string) => [...explicit.keys()].some((key) => key.endsWith(`.${name}`));
  const options = Object.fromEntries(
    Object.entries(web.options).filter(([name]) => !isAsked(name)),
  );
  const own = resolveSettings({ argv, env: world.env, operands: 'any', options });
  if (isRefusal(own)) throw new Error(`broken invariant: ${own.mistakes[0]?.message}`);
  const { settings } = own;
  // Only the demo's own folder is emptied unasked: its web has other ports every time.
  const isOwn = settings.crawl.dir === undefined;
  const dir = settings.crawl.dir ?? DEMO_DIR;
  const crawl = { ...settings.crawl, dir, fresh: isOwn || settings.crawl.fresh };
  const output = { ...settings.output, format: 'text', json: false } as const;
  const { seeds } = web;
  const planned = { ...settings, crawl, output };
  return { settings: planned, explicit, dir, seeds, typedSeeds: [], isThere: false };
}

interface Row {
  readonly what: string;
  readonly expected: string;
  readonly found: string;
  readonly ok: boolean;
}

/** A crawl with a limit is incomplete on purpose; what it did must be right all the same. */
function compare(found: DemoJudgement, { settings }: CrawlPlan, isWhole: boolean): Row[] {
  const none = (what: string, urls: readonly string[]): Row => ({
    what,
    expected: '0',
    found: urls.length === 0 ? '0' : `${formatNumber(urls.length)}, such as ${urls[0]}`,
    ok: urls.length === 0,
  });
  const owed = settings.polite.delayMs;
  const gap = found.smallestGapMs;
  const rows: Row[] = [
    {
      what: 'URLs that can be reached and may be asked, each fetched',
      expected: formatNumber(found.expected),
      found: formatNumber(found.fetched),
      ok: !isWhole || found.fetched === found.expected,
    },
    ...(isWhole ? [none('missed', found.missing)] : []),
    none('fetched twice', found.duplicates),
    none('asked against robots.txt', found.trespass),
    none('asked although nothing leads there', found.stray),
    {
      what: `smallest gap between two requests to one host, of ${formatNumber(found.requests)}`,
      expected: `≥ ${formatNumber(owed)} ms`,
      found: Number.isFinite(gap)
        ? `${(Math.floor(gap * 10) / 10).toFixed(1)} ms`
        : 'one request each',
      ok: gap >= owed,
    },
    {
      what: 'requests to a host while another was open',
      expected: '0',
      found: formatNumber(found.overlaps),
      ok: found.overlaps === 0 || owed === 0,
    },
  ];
  return rows;
}

function tableText(rows: readonly Row[], dir: string): string {
  const lines = ['', "The crawl beside the test web's own truth and request log:"];
  for (const { what, expected, found, ok } of rows) {
    const mark = ok ? 'ok ' : 'NO ';
    lines.push(`  ${mark} ${what.padEnd(58)} ${expected.padStart(10)}  ${safeText(found, 200)}`);
  }
  const verdict = rows.every((row) => row.ok) ? 'It matches.' : 'It does not match.';
  const look = `Look inside: orb pages --dir ${shellWord(dir)}`;
  return `${[...lines, `${verdict} ${look}`].join('\n')}\n`;
}
