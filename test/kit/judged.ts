/**
 * What the web's own log says of a crawl by many nodes: everything found, nothing asked that must
 * not be, no host before its turn, and never two at one host at once, whoever asks. That is more
 * than "no two nodes": one node does not do it either.
 */
import assert from 'node:assert/strict';
import { type Gap, gaps, judge, perAddressGaps } from '../../testweb/index.ts';
import { pageRequests, type TestWeb } from './web.ts';

/** Of a crawl that is over; `againMax` requests for pages may be second ones. */
export function judgeFound(web: TestWeb, againMax: (requests: number) => number): string {
  const truth = web.web.truth({ scope: 'any' });
  const { missing, stray, trespass, duplicates } = judge(web.web, web.server.log, truth);
  const wrong = { missing: missing.length, stray: stray.length, trespass: trespass.length };
  const some = [missing, stray, trespass].flatMap((urls) => urls.slice(0, 3)).join(' ');
  assert.deepEqual(wrong, { missing: 0, stray: 0, trespass: 0 }, some);
  const requests = pageRequests(web).length;
  const again = duplicates.reduce((sum, { times }) => sum + times - 1, 0);
  const isFew = again <= againMax(requests);
  assert.ok(isFew, `${again} asked again: ${JSON.stringify(duplicates.slice(0, 5))}`);
  return `${requests} requests, ${again} again`;
}

/** Also of a crawl that is not over. */
export function judgeTurns({ server }: TestWeb, delayMs: number): string {
  return judgeGaps(gaps(server.log), 'hosts', delayMs);
}

/** Hosts behind one address are one neighbour, whichever nodes they belong to (P4). */
export function judgeAddresses({ server }: TestWeb, delayMs: number): string {
  return judgeGaps(perAddressGaps(server.log), 'addresses', delayMs);
}

function judgeGaps(asked: readonly Gap[], what: string, delayMs: number): string {
  const overlaps = asked.filter((one) => one.overlaps > 0);
  assert.deepEqual(overlaps.slice(0, 3), [], `${what}: never two at one of them at once`);
  const [closest] = asked;
  assert.ok(closest && closest.smallestMs >= delayMs, JSON.stringify(closest));
  const { smallestMs } = closest;
  const gap = `smallest gap ${smallestMs.toFixed(1)} ms of ${delayMs}`;
  return `${asked.length} ${what}, none at once, ${gap}`;
}
