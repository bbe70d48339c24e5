/**
 * What the web's own log says of a crawl by many nodes: everything found, nothing asked that must
 * not be, no host before its turn, and never two at one host at once, whoever asks. That is more
 * than "no two nodes": one node does not do it either.
 */
import assert from 'node:assert/strict';
import { gaps, judge } from '../../testweb/index.ts';
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
  const hosts = gaps(server.log);
  const overlaps = hosts.filter((host) => host.overlaps > 0);
  assert.deepEqual(overlaps.slice(0, 3), [], 'never two at one host at once');
  const [closest] = hosts;
  assert.ok(closest && closest.smallestMs >= delayMs, JSON.stringify(closest));
  const { smallestMs } = closest;
  return `${hosts.length} hosts, none at once, smallest gap ${smallestMs.toFixed(1)} ms of ${delayMs}`;
}
