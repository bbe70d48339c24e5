/**
 * Helpers in the simulation (D6): a host with many pages waiting is hot, and its owner offers
 * every other turn of it to a seat of its arc.
 *
 *   owner ── offer ──▶ helper ── borrow ──▶ owner ── loan: a page and a turn ──▶ helper
 *   helper: asks within the turn, delivers the links, then 'done' to the owner, whoever that is
 *
 * A loan that comes to nothing costs a turn: the page waits again when its time is over.
 */
import type { NodeId } from '../../src/ring/arc-log.ts';
import { leaseUntil } from '../../src/ring/arc-state.ts';
import { type Loan, lend, windowOf } from '../../src/ring/owner-lend.ts';
import type { Body } from './ring-crawl-copy.ts';
import type { Front, HostQueue } from './ring-crawl-front.ts';
import type { RingNode } from './ring-crawl-node.ts';

export const HOT = 6;
const LASTS_MS = 400;
const LOAN_MS = 15_000;

/** One page of a hot host for a helper that has asked; undefined when there is none to lend. */
export function lendPage(front: Front, queue: HostQueue, host: number) {
  const { node, held } = front;
  const page = queue.pages[0];
  if (page === undefined || queue.isBusy || !node.isActing(held)) return undefined;
  if (queue.readyAt > node.now) return undefined;
  const times = { now: node.now, leaseUntil: leaseUntil(held.state) };
  const { marginMs } = node.world.rules;
  const rules = { lastsMs: LASTS_MS, marginMs };
  const lent = lend(queue.readyAt, node.world.web.pauseMs(host), times, rules);
  if (lent === undefined) return undefined;
  queue.pages.shift();
  queue.readyAt = lent.readyAt;
  front.lentUntil = lent.readyAt - node.world.web.pauseMs(host);
  node.world.net.timer(node.id, LOAN_MS, () => {
    if (!held.copy.isDone(page)) front.push(page);
  });
  return { page, loan: lent.loan };
}

/** A helper's part: within the turn or not at all. */
export function useLoan(node: RingNode, arc: number, page: number, loan: Loan, askedAt: number) {
  const window = windowOf(loan, askedAt, node.now);
  const { net, checks } = node.world;
  if (window === undefined) return;
  net.timer(node.id, window.from - node.now + 0.01, () => {
    if (node.now >= window.to) return;
    const arrivesIn = 2 + 60 * net.random.next() ** 3;
    node.busy++;
    checks.helped++;
    net.at(net.now + arrivesIn, () => checks.arrives(page, net.now));
    net.timer(node.id, arrivesIn + 30 + 300 * net.random.next(), () => {
      node.busy--;
      node.deliverLinks(page, () => {
        checks.settled.add(page);
        const done: Body = { kind: 'done', page };
        node.deliver(arc, [done], () => {});
      });
    });
  });
}

/** Some other seat, another one each time. */
export function helperOf(front: Front): NodeId | undefined {
  const { state } = front.held;
  const others = state.charter.seats.filter((seat) => seat !== state.me);
  return others[Math.floor(front.node.world.net.random.next() * others.length)];
}
