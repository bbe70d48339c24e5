/**
 * Which lines of a robots.txt speak to an agent: the names that make a group its own, and the
 * Crawl-delay that counts. For people who want to see the deciding lines; `robots.ts` decides.
 */
import { lineTokens, productToken } from './agent.ts';
import { readRecords } from './lines.ts';

export interface SpokenTo {
  /** The name by which the file speaks to the agent: its own, `*`, or undefined for none. */
  readonly token: string | undefined;
  /** Lines that name it, counted from 1. */
  readonly agentLines: readonly number[];
  /** The line with the longest Crawl-delay for it. */
  readonly delayLine: number | undefined;
}

/** Of a file that names one agent again and again. */
const LINES_MAX = 100;

interface Delay {
  readonly line: number;
  readonly seconds: number;
  readonly names: ReadonlySet<string>;
}

export function linesFor(body: string | Uint8Array, agent: string): SpokenTo {
  const named = new Map<string, number[]>();
  const delays: Delay[] = [];
  let names = new Set<string>();
  let isOpen = false;
  readRecords(body, (kind, value, line) => {
    if (kind === 'agent') {
      if (!isOpen) names = new Set();
      isOpen = true;
      for (const token of lineTokens(value)) {
        names.add(token);
        const lines = named.get(token) ?? [];
        named.set(token, lines);
        if (lines.length < LINES_MAX) lines.push(line);
      }
      return;
    }
    if (kind === undefined || kind === 'sitemap') return;
    isOpen = false;
    const seconds = kind === 'delay' && /^(\d+\.?\d*|\.\d+)$/.test(value) ? Number(value) : -1;
    if (seconds >= 0) delays.push({ line, seconds, names });
  });
  const own = productToken(agent);
  const token = [own, '*'].find((one) => named.has(one));
  const mine = delays.filter((delay) => token !== undefined && delay.names.has(token));
  const longest = mine.sort((a, b) => b.seconds - a.seconds || a.line - b.line)[0];
  return { token, agentLines: named.get(token ?? '') ?? [], delayLine: longest?.line };
}
