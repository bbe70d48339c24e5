/**
 * Near-duplicates of the test web, which knows its own truth: every page is labelled with the
 * text that it holds and with the share of its words that an edit replaced.
 *
 * Pages are looked up one after another, as a crawl would meet them. A duplicate is a page whose
 * text, less than 3% of it edited, was met before in a form that differs from it by as little.
 */
import { MemoryNearIndex } from '../src/adapters/memory/index.ts';
import { WORDS_MIN } from '../src/content/index.ts';
import { printOf } from '../src/content/simhash.ts';
import { scanHtml, sniffCharset, toUtf8 } from '../src/page/index.ts';
import { urlKeyOf } from '../src/record/index.ts';
import { openWeb } from '../testweb/index.ts';
import type { Say } from './measure.ts';

const KINDS = ['mirror', 'printer', 'syndicated', 'archive', 'edited', 'template'] as const;
const EDITED_MAX = 0.03;
const QUARTERS = {
  ...{ mirror: { pages: 60, hosts: 2 }, printer: { pages: 60, hosts: 3 } },
  ...{ syndicated: { pages: 60, hosts: 3 }, archive: { pages: 200, hosts: 2 } },
  ...{ edited: { pages: 210, hosts: 3 }, template: { pages: 60, hosts: 2 } },
};

interface Known {
  readonly text: string;
  readonly edited: number;
}

export async function judgeWeb(say: Say): Promise<void> {
  const total = { duplicates: 0, found: 0, called: 0, right: 0 };
  const web = openWeb({ seed: 4, hosts: 1, pages: 4, features: 'plain', quarters: QUARTERS });
  const index = new MemoryNearIndex();
  const known = new Map<string, Known>();
  const met = new Map<string, number[]>();
  for (const kind of KINDS) {
    const share = { duplicates: 0, found: 0 };
    for (const url of web.urlsIn(kind)) {
      const { body } = web.answer({ url, method: 'GET', headers: {}, atMs: Date.UTC(2026, 0, 1) });
      const label = web.labelOf(url);
      if (body.kind !== 'whole' || label === undefined) continue;
      const bytes = Buffer.from(body.bytes);
      const scan = scanHtml(toUtf8(bytes, sniffCharset(bytes, 'text/html')), url, { words: true });
      const { simhash, pairs, words } = printOf(scan.words);
      if (words < WORDS_MIN) continue;
      const page = { key: urlKeyOf(url), simhash, pairs };
      const [original] = await index.find([page]);
      if (original === undefined) await index.write([page], []);
      known.set(page.key.toString('latin1'), label);
      const isRight = original && known.get(original.key.toString('latin1'))?.text === label.text;
      if (original !== undefined) total.called++;
      if (isRight) total.right++;
      const shares = met.get(label.text) ?? [];
      if (isDuplicate(label.edited, shares)) {
        share.duplicates++;
        if (isRight) share.found++;
      }
      met.set(label.text, [...shares, label.edited]);
    }
    total.duplicates += share.duplicates;
    total.found += share.found;
    if (share.duplicates === 0) continue;
    const of = `% of ${share.duplicates} copies`;
    say(`web_recall_${kind}`, (100 * share.found) / share.duplicates, of);
  }
  say('web_recall', (100 * total.found) / total.duplicates, `% of ${total.duplicates} copies`);
  say('web_precision', (100 * total.right) / total.called, `% of ${total.called} called`);
}

/** Two edits of one text differ from each other in both. */
function isDuplicate(edited: number, before: readonly number[]): boolean {
  return before.some((other) => edited + other < EDITED_MAX);
}
