/**
 * The kinds of robots.txt that a host may have, and what each forbids.
 *
 * `forbids` is the truth about a path, written by hand for the rules that robots.ts prints: it
 * never parses them, so a crawler's parser is judged by something other than itself.
 */
import { mix, SALT } from './hash.ts';
import type { Settings } from './options.ts';

export type RobotsKind =
  | 'none'
  | 'open'
  | 'sections'
  | 'quirky'
  | 'agent-open'
  | 'agent-shut'
  | 'redirected'
  | 'delayed'
  | 'denied'
  | 'html'
  | 'big'
  | 'down'
  | 'timeout';

/** Which part of a site a path is in; robots rules speak of these and of nothing else. */
export type Zone = 'open' | 'private' | 'private-open' | 'search' | 'print';

const SHARES: readonly (readonly [RobotsKind, number])[] = [
  ['none', 22],
  ['open', 20],
  ['sections', 22],
  ['quirky', 8],
  ['agent-open', 6],
  ['redirected', 5],
  ['delayed', 5],
  ['denied', 4],
  ['html', 3],
  ['big', 1],
  ['agent-shut', 2],
  ['down', 2],
];

/** Large hosts get no Crawl-delay, or an honest crawl would take hours. */
const DELAYED_SIZE_SHARE = 0.5;

export function robotsKindOf(settings: Settings, index: number, seed: number): RobotsKind {
  const { features, hosts } = settings;
  if (index === 0) return features.has('robots') || features.has('sitemaps') ? 'open' : 'none';
  let draw = mix(seed, SALT.robots) % 100;
  if (features.has('robots-timeout') && draw === 99) return 'timeout';
  if (!features.has('robots')) return features.has('sitemaps') ? 'open' : 'none';
  for (const [kind, share] of SHARES) {
    draw -= share;
    if (draw >= 0) continue;
    return kind === 'delayed' && index < hosts * DELAYED_SIZE_SHARE ? 'sections' : kind;
  }
  return 'none';
}

/** Some crawler finds no way in; such a host carries no link that others depend on. */
export function shutsOut(kind: RobotsKind): boolean {
  return kind === 'down' || kind === 'timeout' || kind === 'agent-open' || kind === 'agent-shut';
}

/** Whether every crawler reads a Sitemap line there. */
export function hasLines(kind: RobotsKind): boolean {
  return !shutsOut(kind) && kind !== 'none' && kind !== 'denied' && kind !== 'html';
}

export function forbids(kind: RobotsKind, zone: Zone, agent: string): boolean {
  const named = agent.toLowerCase().includes('orbweaver');
  if (kind === 'down' || kind === 'timeout') return true;
  if (kind === 'agent-shut') return named;
  if (kind === 'agent-open' && !named) return true;
  if (kind === 'none' || kind === 'open' || kind === 'denied' || kind === 'html') return false;
  return zone !== 'open' && zone !== 'private-open';
}
