/**
 * `orb recrawl`: pages that are wanted again at once (T4). A crawl that runs in the folder is
 * told and takes them first; a folder at rest is crawled, with the settings that made it.
 */
import { exitCode, type Refusal, type Resolution } from '../../config/index.ts';
import type { RecrawlAnswer, RecrawlQuery } from '../../crawl/ask-recrawl.ts';
import { runCrawl } from './crawl.ts';
import { withAnswers } from './folder.ts';
import { formatNumber, jsonLine, safeText } from './format.ts';
import { withOutput } from './rows.ts';
import type { World } from './world.ts';

export async function recrawlCommand(
  resolution: Resolution,
  world: World,
): Promise<number | Refusal> {
  const { settings, explicit, seeds: what } = resolution;
  const { all, later } = settings.show;
  if (what.length === 0 && !all) return { mistakes: [NOTHING_NAMED] };
  const query: RecrawlQuery = { what, all };
  const { answer, dir } = await withAnswers(settings, world, async (answers, where) => {
    return { answer: await answers.recrawl(query), dir: where };
  });
  if (answer.isRunning || later || answer.asked === 0) {
    const text = settings.output.json ? jsonLine(answer) : answerText(answer, dir);
    await withOutput(settings, world, (output) => output.write(text));
    return exitCode(answer.asked + answer.waiting === 0 ? 'failed' : 'complete');
  }
  const seeds = { seeds: [], typedSeeds: [], isThere: true };
  return (await runCrawl({ settings, explicit, dir, ...seeds, again: query }, world)).exitCode;
}

const NOTHING_NAMED = {
  code: 'E_USAGE',
  message: 'Nothing is named that should be asked for again.',
  hint: "Name URLs, hosts or patterns: orb recrawl 'https://example.com/news/*', or --all.",
} as const;

function answerText(answer: RecrawlAnswer, dir: string): string {
  const { asked, waiting, denied = 0, unknown, isRunning } = answer;
  const lines: string[] = [];
  if (asked > 0) {
    const what = asked === 1 ? '1 page is' : `${formatNumber(asked)} pages are`;
    const by = isRunning
      ? 'the crawl that runs asks next'
      : `run: orb crawl --dir ${safeText(dir)}`;
    lines.push(`${what} due now; ${by}.`);
  }
  if (waiting > 0)
    lines.push(`In the queue already, never asked so far: ${formatNumber(waiting)}.`);
  if (denied > 0) {
    lines.push(`Never asked again, as 'orb why' tells: ${formatNumber(denied)}.`);
  }
  for (const one of unknown) lines.push(`${safeText(dir)} knows nothing of ${safeText(one)}.`);
  return `${lines.join('\n')}\n`;
}
