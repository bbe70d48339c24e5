/**
 * The page's part of a URL's story: what it repeats (C1, C2), whether it is there at all (C3),
 * what it asks for itself (R3), and what its site allows to be done with it (R5).
 */
import { hamming } from '../content/simhash.ts';
import { FLAGS, type Flag, type UrlRecord } from '../record/index.ts';
import type { WhyFacts } from './why-facts.ts';
import { renderSentences } from './why-render.ts';
import { listText, whenText } from './why-text.ts';

export function pageSentences(record: UrlRecord, facts: WhyFacts): string[] {
  const has = (flag: Flag) => (record.flags & FLAGS[flag]) !== 0;
  const sentences: string[] = [];
  if (facts.document !== undefined) sentences.push(documentSentence(record, facts.document));
  sentences.push(...renderSentences(record, facts));
  if (has('near_duplicate')) sentences.push(nearSentence(record, facts));
  if (has('alias')) sentences.push(ALIAS);
  if (has('soft_404')) sentences.push(soft404Sentence(facts));
  if (has('redirect_loop')) sentences.push(loopSentence(record));
  sentences.push(...directiveSentences(record, facts));
  const usage = usageSentence(record, facts);
  return usage === undefined ? sentences : [...sentences, usage];
}

/** `It is a document of type application/pdf: "The report"; pages 12, author A. Writer.` */
function documentSentence(
  { contentType, title }: UrlRecord,
  document: NonNullable<WhyFacts['document']>,
): string {
  const named = title === '' ? '' : `: “${title}”`;
  const facts = Object.entries(document).map(([name, value]) => `${name} ${value}`);
  return `It is a document of type ${contentType || 'unknown'}${named}; ${facts.join(', ')}.`;
}

const ALIAS =
  'Its content is byte for byte that of another page, so it is stored once for both; its links count.';

/** How near is said as it was judged: in bits of the fingerprints. */
function nearSentence(record: UrlRecord, { original }: WhyFacts): string {
  const which = original === undefined ? 'a page that was there first' : original.url;
  const bits = original === undefined ? 0 : hamming(record.simhash, original.simhash);
  const how = bits === 0 ? '' : ` (the fingerprints of their words differ in ${bits} of 64 bits)`;
  return `It says nearly the same as ${which}${how}, so its text is not kept twice; its links are.`;
}

function soft404Sentence({ notes }: WhyFacts): string {
  const why = notes.soft404 === undefined ? '' : `: ${notes.soft404.reason}`;
  const what = 'It answered as if it were a page, but with what this site shows for missing pages';
  return `${what}${why}. It counts as not found; send status 404 for pages that do not exist.`;
}

function loopSentence({ redirectTo }: UrlRecord): string {
  const to = redirectTo === '' ? '' : ` by way of ${redirectTo}`;
  return `Its redirects lead in a circle${to}: there is no page at the end of them.`;
}

function directiveSentences(record: UrlRecord, { now }: WhyFacts): string[] {
  const { flags, unavailableAfter } = record;
  const isOver = unavailableAfter > 0 && unavailableAfter <= now;
  const sentences: string[] = [];
  if ((flags & FLAGS.noindex) !== 0 && !isOver) sentences.push(SAID.noindex);
  if ((flags & FLAGS.nofollow) !== 0) sentences.push(SAID.nofollow);
  if ((flags & FLAGS.noarchive) !== 0) sentences.push(SAID.noarchive);
  if (unavailableAfter === 0) return sentences;
  const end = `It asks not to be shown after ${whenText(unavailableAfter, now)} (unavailable_after)`;
  const then = 'that is over, so it counts as noindex and is not asked again';
  sentences.push(isOver ? `${end}: ${then}.` : `${end}; until then it is read as any other page.`);
  return sentences;
}

const SAID = {
  noindex:
    'It asks not to be listed (noindex): it is marked so, and whoever uses the pages leaves it out.',
  nofollow: 'It asks that its links are not followed (nofollow): they are noted down, no more.',
  noarchive: 'It asks that no copy is kept (noarchive): its text was read and not stored.',
} as const;

/** Uses by the names that sites give them. */
const USES: Readonly<Record<string, string>> = {
  search: 'search results',
  'ai-input': 'answers made by AI',
  'ai-train': 'the training of AI models',
};

function usageSentence({ usage, flags }: UrlRecord, { purposes }: WhyFacts): string | undefined {
  if (usage === '') return undefined;
  const said = usage.split(', ').map((pair) => pair.split('='));
  const words = said.map(([name = '', word]) => `${word} to ${name in USES ? USES[name] : name}`);
  const start = `Its site says ${listText(words)} (${usage})`;
  if ((flags & FLAGS.usage_refused) !== 0) {
    return `${start}; this crawl is for ${listText(purposes)}, so its text is not kept (--purpose).`;
  }
  if (purposes.length === 0)
    return `${start}, which is noted with the page (--purpose enforces it).`;
  return `${start}, and this crawl is for ${listText(purposes)} (--purpose).`;
}
