/**
 * One node of a ring in a process of its own, which does what its parent says:
 *
 *   { start } { join: [address] } { lookup: [key] } { view }      each is answered once, in order
 */
import { systemClock } from '../../src/adapters/node/index.ts';
import { openPeers } from '../../src/adapters/peer/index.ts';
import { RingMember } from '../../src/crawl/ring-member.ts';
import type { ChordRules, Position } from '../../src/ring/index.ts';
import { SignKey } from '../../src/sign/index.ts';

export type Wish =
  | { readonly kind: 'start' }
  | { readonly kind: 'view' }
  | { readonly kind: 'join'; readonly via: readonly string[] }
  | { readonly kind: 'lookup'; readonly keys: readonly Position[] };

const [seed, listen, rules] = process.argv.slice(2) as [string, string, string];
const clock = systemClock();
const peers = await openPeers({
  key: new SignKey(Buffer.alloc(32, Number(seed))),
  membership: { kind: 'secret', secret: Buffer.from('a secret of this ring') },
  listen,
  clock,
});
const member = new RingMember({ peers, clock, rules: JSON.parse(rules) as ChordRules });

async function answer(wish: Wish): Promise<unknown> {
  if (wish.kind === 'join') return member.join(wish.via);
  if (wish.kind === 'view') return member.view();
  if (wish.kind === 'start') return member.start();
  const found = await Promise.all(wish.keys.map((key) => member.lookup(key)));
  return found.map((one) => one?.owner.id ?? null);
}

process.on('message', (wish: Wish) => {
  void answer(wish).then((said) => process.send?.({ said: said ?? null }));
});
process.on('disconnect', () => process.exit());
process.send?.({ said: peers.me });
