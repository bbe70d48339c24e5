/**
 * A step of the path: what is wrong with a redirect (H2)? Too many hops, a target that is no
 * web address, or a circle, found by walking back over the pages that sent us here.
 */

import type { ShardStore } from '../ports/shard-store.ts';
import { type UrlRecord, urlKeyOf, type Waiting } from '../record/index.ts';

export type RedirectProblem = 'redirect_loop' | 'too_many_redirects' | 'bad_redirect';

export async function redirectProblem(
  to: string | undefined,
  from: Waiting,
  hopsMax: number,
  store: ShardStore,
): Promise<RedirectProblem | undefined> {
  if (to === undefined) return 'bad_redirect';
  if (to === from.url || (from.hops > 0 && (await isCircle(to, from, store))))
    return 'redirect_loop';
  return from.hops >= hopsMax ? 'too_many_redirects' : undefined;
}

async function isCircle(to: string, from: Waiting, store: ShardStore): Promise<boolean> {
  const target = urlKeyOf(to);
  let above: Pick<UrlRecord, 'parent' | 'hops'> = from;
  while (above.hops > 0 && above.parent.length > 0) {
    if (target.equals(above.parent)) return true;
    const [record] = await store.urls([Buffer.from(above.parent)]);
    if (record === undefined) return false;
    above = record;
  }
  return false;
}
