/**
 * An operator splits a hot arc (F8): its halves are with whoever had it, then one of them goes to
 * another node. Why it is not done is told in a sentence.
 */
import { CrawlError } from '../base/errors.ts';
import type { Tenures } from '../ports/tenures.ts';
import { halvesOf, isArc, overlap } from '../url/index.ts';

export type Split = { readonly parts: readonly number[] } | { readonly refused: string };

export async function splitArc(tenures: Tenures | undefined, arc: number): Promise<Split> {
  if (!isArc(arc)) return { refused: `There is no shard ${arc}.` };
  if (tenures === undefined)
    return { refused: 'This crawl has one node: a part has nowhere to go.' };
  if (halvesOf(arc).length === 0) {
    return { refused: `Shard ${arc} is a quarter of an arc, and is not split further.` };
  }
  try {
    const parts = await tenures.split(arc);
    return parts.length > 0 ? { parts } : { refused: await whyNot(tenures, arc) };
  } catch (error) {
    if (!(error instanceof CrawlError) || error.code !== 'E_CONFIG') throw error;
    return { refused: `${error.message}.` };
  }
}

async function whyNot(tenures: Tenures, arc: number): Promise<string> {
  const instead = (await tenures.arcs()).filter((one) => overlap(one, arc)).join(', ');
  return `Shard ${arc} is not there as such: what it covers is in ${instead}.`;
}
