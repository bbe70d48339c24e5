/**
 * The commands that ask a folder: `pages`, `links`, `status`, `why`.
 *
 * They work on a folder at rest and, through its socket, on a crawl that runs.
 */
import { exitCode, type Refusal, type Resolution } from '../../config/index.ts';
import { markdownFrom } from '../../crawl/plan.ts';
import { withAnswers } from './folder.ts';
import { jsonLine } from './format.ts';
import { LINK_ROW } from './link-row.ts';
import { PAGE_ROW } from './page-row.ts';
import { printRows, withOutput } from './rows.ts';
import { statusJson, statusText } from './status-text.ts';
import { whyJson, whyText } from './why-text.ts';
import type { World } from './world.ts';

type Ended = Promise<number | Refusal>;

export async function pagesCommand({ settings }: Resolution, world: World): Ended {
  const { state, flag, host, maxRows } = settings.show;
  const { storedIn: region } = settings.comply;
  const filters = {
    ...{ ...(state && { state }), ...(flag && { flag }), ...(host && { host }) },
    ...(region && { region }),
  };
  const query = { limit: maxRows, ...filters };
  await withAnswers(settings, world, async (answers) => {
    const pages = answers.pages(query);
    const isMarkdown = settings.output.format === 'markdown';
    if (!isMarkdown && !settings.readable.markdown) {
      return printRows(pages, PAGE_ROW, settings, world);
    }
    const { MARKDOWN_ROW, printMarkdown, withMarkdown } = await import('./markdown.ts');
    const texts = { answers, reader: world.openReader(settings) };
    if (isMarkdown) return printMarkdown(pages, texts, settings, world);
    const rows = withMarkdown(pages, texts, markdownFrom(settings));
    return printRows(rows, MARKDOWN_ROW, settings, world);
  });
  return exitCode('complete');
}

export async function linksCommand({ settings, seeds }: Resolution, world: World): Ended {
  const { host, maxRows } = settings.show;
  const [url] = seeds;
  const query = { limit: maxRows, ...(host && { host }), ...(url && { url }) };
  await withAnswers(settings, world, (answers) =>
    printRows(answers.links(query), LINK_ROW, settings, world),
  );
  return exitCode('complete');
}

export async function statusCommand({ settings }: Resolution, world: World): Ended {
  const status = await withAnswers(settings, world, (answers) => answers.status());
  const text = settings.output.json ? jsonLine(statusJson(status)) : statusText(status);
  await withOutput(settings, world, (output) => output.write(text));
  return exitCode('complete');
}

export async function whyCommand({ settings, seeds }: Resolution, world: World): Ended {
  const [url = ''] = seeds;
  const answer = await withAnswers(settings, world, (answers) => answers.why(url));
  const text = settings.output.json ? jsonLine(whyJson(answer)) : whyText(answer);
  await withOutput(settings, world, (output) => output.write(text));
  return exitCode('complete');
}
