/**
 * The host's part of a URL's story: what its robots.txt says, when it may be asked, and how
 * the tries for the URL went.
 */
import type { FetchEvent } from '../events/index.ts';
import { delayMsOf, rulesOf } from '../frontier/index.ts';
import { originOf } from '../url/index.ts';
import type { WhyFacts } from './why-facts.ts';
import { spanText, whenText } from './why-text.ts';

/** The verdict of robots.txt with the line that decides, and when it was read (R4). */
export function robotsSentence({ url, robots, politeness, now }: WhyFacts): string {
  const origin = originOf(url as string);
  if (robots === undefined) return `robots.txt of ${origin} has not been read yet.`;
  const read = `robots.txt of ${origin}, read ${whenText(robots.fetchedAt, now)}`;
  const { status } = robots;
  const isReadable = status >= 200 && status < 500 && status !== 429;
  if (!isReadable) {
    const what = status === 0 ? 'could not be reached' : `answered ${status}`;
    const until =
      robots.expiresAt > now ? ` and is tried again ${whenText(robots.expiresAt, now)}` : '';
    return `robots.txt of ${origin} ${what} ${whenText(robots.fetchedAt, now)}; nothing is asked until it can be read${until}.`;
  }
  if (status >= 300) return `${read}, answered ${status}: the site has no rules, all is allowed.`;
  const verdict = rulesOf(robots).isAllowed(politeness.agent, url as string);
  const does = verdict.allowed ? 'allows' : 'forbids';
  if (verdict.line !== undefined)
    return `${read}, ${does} it in line ${verdict.line}: '${verdict.rule}'.`;
  if (!verdict.allowed) return `${read}, forbids it: ${verdict.rule ?? 'it was not understood'}.`;
  return `${read}, has no rule against it for '${politeness.agent}'.`;
}

export function hostSentences(facts: WhyFacts): string[] {
  const { host, now } = facts;
  if (host === undefined) return [];
  const asked =
    host.lastFetchAt > 0 ? `was last asked ${whenText(host.lastFetchAt, now)}` : 'was never asked';
  const turn = host.turnAt > now ? whenText(host.turnAt, now) : 'now';
  const sentences = [`${host.host} ${asked}${pauseText(facts)} and may be asked ${turn}.`];
  if (host.backoff > 1.01) {
    sentences.push(
      `It said that it was busy, so its pause is ${host.backoff.toFixed(1)} times the usual.`,
    );
  }
  if (host.errors > 0) {
    const down = host.downs > 0 ? ' and is left alone for a while' : '';
    sentences.push(
      `It failed ${host.errors} times in a row since ${whenText(host.errorsSince, now)}${down}.`,
    );
  }
  return sentences;
}

/** A folder at rest does not say at which pace its next run will ask; its robots.txt may. */
function pauseText({ host, politeness, isRunning }: WhyFacts): string {
  if (host === undefined) return '';
  const asks =
    host.crawlDelayMs > 0 ? `its robots.txt asks for ${spanText(host.crawlDelayMs)}` : '';
  if (!isRunning) return asks === '' ? '' : ` (${asks} between two requests)`;
  const delayMs = delayMsOf(host.host, host, politeness);
  const delay = delayMs > 0 ? spanText(delayMs) : 'no pause';
  return `, is left ${delay} between two requests${asks === '' ? '' : ` (${asks})`},`;
}

export function triesSentences({ tries, now }: WhyFacts): string[] {
  return tries.map((event) => `Asked ${whenText(event.startedAt, now)}: ${answerText(event)}.`);
}

function answerText(event: FetchEvent): string {
  if (event.status === 0) return `no answer (${event.failure ?? 'unknown'})`;
  const ms = Math.round(event.endedAt - event.startedAt);
  return `status ${event.status}, ${event.bytes} bytes in ${ms} ms`;
}
