/** What the story of a URL says about its scripts (J1): that they were run, or why not. */
import { FLAGS, type UrlRecord } from '../record/index.ts';
import type { WhyFacts } from './why-facts.ts';

export function renderSentences({ flags }: UrlRecord, { tries }: WhyFacts): string[] {
  if ((flags & FLAGS.script_only) !== 0) return [NOT_RENDERED];
  if ((flags & FLAGS.rendered) === 0) return [];
  const [sent, picture] = tries.at(-1)?.otherHashes ?? [];
  const kept = sent === undefined ? '' : `; as it was sent, it is kept as ${sent}`;
  const shot = picture === undefined ? '' : `, and a picture of it as ${picture}`;
  return [`${RENDERED}${kept}${shot}.`];
}

const RENDERED =
  'It shows little without its scripts, so they were run in a browser, and what they made of it is what was read';
const NOT_RENDERED =
  'It is flagged because it shows little without its scripts: what is behind them was not seen. ' +
  "'orb doctor' says whether there is a browser to run them.";
