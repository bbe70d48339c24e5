/** `orb why`: the story of a URL, one sentence a line. */
import type { WhyAnswer } from '../../crawl/answers.ts';
import { safeText } from './format.ts';
import { PAGE_ROW } from './page-row.ts';

const SENTENCE_LENGTH_MAX = 2_000;

export function whyText({ url, verdict, story }: WhyAnswer): string {
  const lines = story.map((sentence) => `  - ${safeText(sentence, SENTENCE_LENGTH_MAX)}`);
  return `${[`${safeText(url, SENTENCE_LENGTH_MAX)}: ${verdict}`, ...lines].join('\n')}\n`;
}

export function whyJson({ url, verdict, story, record }: WhyAnswer): object {
  return { url, verdict, story, ...(record && { record: PAGE_ROW.json(record) }) };
}
