/** `orb why`: the story of a URL, one sentence a line. */
import type { HostNotes, WhyAnswer } from '../../crawl/answers.ts';
import { safeText } from './format.ts';
import { hostJson } from './host-json.ts';
import { PAGE_ROW } from './page-row.ts';
import { isoOf } from './rows.ts';

const SENTENCE_LENGTH_MAX = 2_000;

export function whyText({ url, verdict, story }: WhyAnswer): string {
  const lines = story.map((sentence) => `  - ${safeText(sentence, SENTENCE_LENGTH_MAX)}`);
  return `${[`${safeText(url, SENTENCE_LENGTH_MAX)}: ${verdict}`, ...lines].join('\n')}\n`;
}

/** The facts that the story is told from, under stable names. */
export function whyJson(answer: WhyAnswer): object {
  const { url, verdict, story, record, originalUrl, host, notes } = answer;
  const page = record && { ...record, ...(originalUrl !== undefined && { originalUrl }) };
  return {
    ...{ url, verdict, story },
    ...(page && { record: PAGE_ROW.json(page) }),
    ...(host && { host: hostJson(host) }),
    ...(notes && Object.keys(notes).length > 0 && { notes: notesJson(notes) }),
  };
}

function notesJson({ trap, soft404, farm, isLoop }: HostNotes): object {
  return {
    ...(trap && { trap: { ...trap, since: isoOf(trap.since), lookAt: isoOf(trap.lookAt) } }),
    ...(soft404 && { soft404: { ...soft404, since: isoOf(soft404.since) } }),
    ...(farm && { farm: { ...farm, since: isoOf(farm.since) } }),
    ...(isLoop && { isLoop }),
  };
}
