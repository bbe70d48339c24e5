/**
 * What the Markdown of a page costs (X5), over real documentation pages (tools/corpus.ts): in
 * CPU microseconds, the best of some rounds after one to warm up.
 *
 *   npm run bench -- markdown [--pages N]
 */
import { toMarkdown } from '../src/readable/index.ts';
import { corpusPages } from '../tools/corpus.ts';

type Emit = (line: { bench: string; metric: string; value: number; unit: string }) => void;

const ROUNDS = 5;

export async function run(args: string[], emit: Emit): Promise<void> {
  const given = args.indexOf('--pages');
  const pages = corpusPages(given < 0 ? 300 : Number(args[given + 1]));
  if (pages.length === 0) throw new Error('no corpus here: run `npm run corpus` first');
  const line = (metric: string, value: number, unit: string): void =>
    emit({ bench: 'markdown', metric, value, unit });
  const bytes = pages.reduce((sum, page) => sum + page.body.length, 0);
  line('pages', pages.length, 'pages');
  line('mean_page', bytes / pages.length, 'bytes');
  let best = Number.POSITIVE_INFINITY;
  let chars = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    chars = 0;
    const from = process.cpuUsage();
    for (const { body, url } of pages) chars += toMarkdown(body, url).length;
    const { user, system } = process.cpuUsage(from);
    if (round > 0) best = Math.min(best, (user + system) / pages.length);
  }
  line('time', best, 'µs/page');
  line('mean_markdown', chars / pages.length, 'characters');
}
