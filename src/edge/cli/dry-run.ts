/**
 * `orb crawl --dry-run`: settings, seeds and folder have been checked; this says what would be
 * done with them. Nothing is fetched and nothing is written.
 */
import type { Settings } from '../../config/index.ts';
import { robotsUrlFor } from '../../robots/index.ts';
import { canonicalize } from '../../url/index.ts';
import { formatBytes, formatDuration, formatNumber, jsonLine, safeText } from './format.ts';
import { type CrawlPlan, sitemapOf } from './plan.ts';
import type { World } from './world.ts';

const SHOWN_MAX = 10;

export async function printDryRun(plan: CrawlPlan, world: World): Promise<number> {
  const facts = factsOf(plan);
  const text = plan.settings.output.json ? jsonLine(facts) : textOf(facts);
  await world.stdout.write(text);
  return 0;
}

interface Facts {
  readonly folder: string;
  readonly folderState: string;
  readonly seeds: readonly string[];
  readonly robotsFirst: readonly string[];
  readonly scope: string;
  readonly pace: string;
  readonly agent: string;
  readonly limits: readonly string[];
  readonly warnings: readonly string[];
}

function factsOf(plan: CrawlPlan): Facts {
  const { settings, dir, seeds } = plan;
  const { stripWww } = settings.scope;
  const starts = [...seeds, ...(sitemapOf(settings) ?? '').split(' ').filter(Boolean)];
  const canonical = starts.map((seed) => canonicalize(seed, undefined, { stripWww }) ?? seed);
  const robots = new Set(canonical.map((url) => robotsUrlFor(url) ?? '').filter(Boolean));
  return {
    folder: dir,
    folderState: folderState(plan),
    seeds: canonical,
    robotsFirst: [...robots],
    scope: scopeText(settings),
    pace: paceText(settings),
    agent: `Mozilla/5.0 (compatible; ${settings.agent.userAgent}; +${settings.agent.infoUrl})`,
    limits: limitTexts(settings),
    warnings: settings.agent.contact === undefined ? [NO_CONTACT] : [],
  };
}

const NO_CONTACT = 'Without --contact a crawl of public hosts stops at 1,000 pages.';

function folderState({ isThere, settings }: CrawlPlan): string {
  if (!isThere) return 'new';
  return settings.crawl.fresh ? 'holds a crawl, which --fresh deletes' : 'holds a crawl; goes on';
}

function scopeText({ scope }: Settings): string {
  const kinds = {
    host: 'the hosts of the seeds',
    domain: 'the registered domains of the seeds',
    any: 'everywhere',
  };
  const parts = [kinds[scope.scope]];
  if (scope.prefix.length > 0) parts.push(`only under ${scope.prefix.join(' or ')}`);
  if (scope.include.length > 0) parts.push(`only ${scope.include.map(String).join(' or ')}`);
  if (scope.exclude.length > 0) parts.push(`never ${scope.exclude.map(String).join(' or ')}`);
  if (scope.extraHops > 0) parts.push(`and ${scope.extraHops} link(s) beyond`);
  return parts.join(', ');
}

function paceText({ polite, fetch }: Settings): string {
  const pace =
    polite.rate === Infinity
      ? 'no pause between requests'
      : `one request to a host every ${formatDuration(polite.delayMs)}, unless robots.txt asks for more`;
  return `${pace}; ${fetch.concurrency} requests at a time over all hosts`;
}

function limitTexts({ limits }: Settings): string[] {
  const texts = [`${limits.depth} links from a seed`];
  if (limits.limit > 0) texts.push(`${formatNumber(limits.limit)} pages`);
  if (limits.maxPagesPerHost > 0) texts.push(`${formatNumber(limits.maxPagesPerHost)} of a host`);
  if (limits.maxTimeMs > 0) texts.push(formatDuration(limits.maxTimeMs));
  if (limits.maxSizeBytes > 0) texts.push(formatBytes(limits.maxSizeBytes));
  return texts;
}

function textOf(facts: Facts): string {
  const rows: (readonly [string, string])[] = [
    ['folder', `${facts.folder} (${facts.folderState})`],
    ...some('seeds', facts.seeds),
    ...some('robots', facts.robotsFirst),
    ['scope', facts.scope],
    ['pace', facts.pace],
    ['sent as', facts.agent],
    ['limits', facts.limits.join(', ')],
    ...facts.warnings.map((warning) => ['note', warning] as const),
  ];
  const lines = rows.map(([name, text]) => `  ${name.padEnd(9)}${safeText(text, 500)}`);
  return ['Nothing is fetched now. This is what would be done:', ...lines, ''].join('\n');
}

function some(name: string, texts: readonly string[]): (readonly [string, string])[] {
  const shown = texts.slice(0, SHOWN_MAX).map((text, i) => [i === 0 ? name : '', text] as const);
  const rest = texts.length - shown.length;
  return rest > 0 ? [...shown, ['', `and ${formatNumber(rest)} more`] as const] : shown;
}
