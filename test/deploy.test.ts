/**
 * What is deployed beside a crawl: alert rules and a dashboard. Every metric, label and value that
 * they ask for is one that a crawl exposes, and what is asked of each is what its kind can answer.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { systemVitals } from '../src/adapters/node/vitals.ts';
import { openCrawl } from '../src/compose.ts';
import { isRefusal, resolveSettings } from '../src/config/index.ts';
import { handMetrics } from '../src/crawl/metrics-hand.ts';
import { openWebFor, plainYaml, Scrape, scratch, type Yaml } from './kit/index.ts';

const fileIn = (path: string) =>
  readFileSync(new URL(`../deploy/${path}`, import.meta.url), 'utf8');

const NO_PAGES = { taken: 0, returned: 0, lost: 0, refused: 0, failed: 0 };

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly targets?: readonly { readonly expr: string; readonly refId: string }[];
}

function rulesOf(text: string): Rule[] {
  const { groups } = plainYaml(text) as unknown as { groups: { rules: Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

const rules = rulesOf(fileIn('prometheus/alerts.yml'));
const dashboard = JSON.parse(fileIn('grafana/orbweaver.json')) as {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; definition?: string }[] };
};

/** Labels that a Prometheus adds, and the one metric that is its own. */
const OF_PROMETHEUS = new Set(['job', 'instance']);

/** Why an expression cannot be what is meant; undefined when nothing is wrong with it. */
function problemIn(expr: string, scrape: Scrape): string | undefined {
  if (!isBalanced(expr)) return 'its brackets do not match';
  for (const { 0: name, index } of expr.matchAll(/\borb_\w+/g)) {
    const family = familyOf(name, scrape);
    if (family === undefined) return `there is no ${name}`;
    const isRate = /\b(?:rate|increase)\($/.test(expr.slice(0, index));
    if (isRate && family.type === 'GAUGE') return `a rate of the gauge ${name}`;
    if (!isRate && family.type === 'HISTOGRAM') return `${name} without a rate`;
  }
  for (const [, name = '', matchers = ''] of expr.matchAll(/\b(orb_\w+)\{([^}]*)\}/g)) {
    const problem = labelProblem(name, matchers, scrape);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function familyOf(name: string, scrape: Scrape) {
  const { families } = scrape;
  const bare = name.replace(/_(?:bucket|sum|count)$/, '');
  if (bare !== name && families.get(bare)?.type === 'HISTOGRAM') return families.get(bare);
  return families.get(name)?.type === 'HISTOGRAM' ? undefined : families.get(name);
}

function labelProblem(name: string, matchers: string, scrape: Scrape): string | undefined {
  for (const [, label = '', how, value = ''] of matchers.matchAll(/(\w+)(=~?)"([^"]*)"/g)) {
    if (OF_PROMETHEUS.has(label)) continue;
    const metrics = familyOf(name, scrape)?.metrics ?? [];
    const values = metrics.map(({ labels }) => labels?.[label]);
    if (how !== '=' || !values.includes(value)) return `${name} has no ${label}="${value}"`;
  }
  return undefined;
}

function isBalanced(expr: string): boolean {
  const open: string[] = [];
  const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
  for (const sign of expr.replaceAll(/"[^"]*"/g, '')) {
    if ('([{'.includes(sign)) open.push(sign);
    else if (sign in pairs && open.pop() !== pairs[sign]) return false;
  }
  return open.length === 0;
}

describe('deploy', () => {
  let scrape: Scrape;

  const ends: (() => unknown)[] = [];
  const cleanup = { after: (end: () => unknown) => void ends.push(end) };

  after(async () => {
    for (const end of ends) await end();
  });

  before(async () => {
    const web = await openWebFor(cleanup, { hosts: 2, pages: 8, features: 'plain' });
    const flags = [...web.flags, '--allow-private', '--rate', 'max', '--scope', 'any'];
    const resolved = resolveSettings({ argv: [web.start, ...flags] });
    assert.ok(!isRefusal(resolved));
    const { settings, seeds } = resolved;
    const dir = join(await scratch(cleanup), 'crawl');
    const session = await openCrawl({ settings, seeds, dir });
    session.metrics.text();
    await session.run();
    const hand = handMetrics({ counts: NO_PAGES, open: 0 }, systemVitals());
    scrape = new Scrape(session.metrics.text(), hand.text('0.0.0'));
    await session.close();
  });

  test('alerts: every expression asks for metrics that a crawl exposes, in a way that they answer', () => {
    assert.ok(rules.length >= 7);
    for (const { alert, expr } of rules) assert.equal(problemIn(expr, scrape), undefined, alert);
  });

  test('alerts: what O1 names is there, as a page or as a ticket', () => {
    const severities = Object.fromEntries(rules.map((rule) => [rule.alert, rule.labels.severity]));
    const asked = {
      ...{ OrbComplaintsRising: 'page', OrbShardDown: 'page', OrbServersBusy: 'page' },
      ...{ OrbThroughputLow: 'page', OrbDedupDrift: 'ticket', OrbContentDedupSpike: 'ticket' },
      OrbTrapsFound: 'ticket',
    };
    for (const [alert, severity] of Object.entries(asked))
      assert.equal(severities[alert], severity);
    assert.equal(Object.keys(severities).length, rules.length, 'each has a name of its own');
    for (const { alert, annotations, for: pause = '0m' } of rules) {
      assert.match(alert, /^Orb[A-Za-z]+$/);
      assert.ok(annotations.summary.length > 10 && annotations.description.length > 10, alert);
      assert.match(pause, /^\d+[mh]$/);
    }
  });

  test('dashboard: every panel asks for metrics that a crawl exposes, and no two overlap', () => {
    const taken = new Map<string, string>();
    for (const { title, type, description, gridPos, targets = [] } of dashboard.panels) {
      if (type !== 'row') assert.ok(targets.length > 0 && (description ?? '').length > 3, title);
      for (const { expr } of targets) {
        const filled = expr.replaceAll('$__rate_interval', '5m');
        assert.equal(problemIn(filled, scrape), undefined, `${title}: ${expr}`);
      }
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          assert.equal(taken.get(`${x},${y}`), undefined, `${title} covers another panel`);
          assert.ok(x < 24, `${title} stands out`);
          taken.set(`${x},${y}`, title);
        }
      }
    }
    const ids = dashboard.panels.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const { definition = '' } of dashboard.templating.list) {
      assert.equal(problemIn(definition, scrape), undefined);
    }
  });

  test('dashboard: every metric of a crawl is shown somewhere', () => {
    const shown = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const hidden = [...scrape.families.keys()].filter(
      (name) => !shown.some((expr) => new RegExp(`\\b${name}(?:_bucket)?\\b`).test(expr)),
    );
    assert.deepEqual(hidden, []);
  });

  test('docs: every metric is explained, and none that there is not', () => {
    const text = readFileSync(new URL('../docs/metrics.md', import.meta.url), 'utf8');
    const named = new Set(text.match(/\borb_[a-z0-9_]+[a-z0-9]/g));
    const known = new Set(scrape.families.keys());
    assert.deepEqual(
      [...known].filter((name) => !named.has(name)),
      [],
    );
    assert.deepEqual(
      [...named].filter((name) => familyOf(name, scrape) === undefined && !known.has(name)),
      [],
    );
  });

  test('config: the job is the one that the alerts ask for, and it reads them', () => {
    const config = plainYaml(fileIn('prometheus/prometheus.yml')) as Record<string, Yaml>;
    const [scraped] = config.scrape_configs as readonly Record<string, Yaml>[];
    assert.equal(scraped?.metrics_path, '/metrics');
    assert.deepEqual(config.rule_files, ['alerts.yml']);
    const down = rules.find(({ alert }) => alert === 'OrbShardDown');
    assert.ok(down?.expr.includes(`job="${scraped?.job_name}"`));
  });

  test('checks: what is wrong in an expression is found', () => {
    const wrong = {
      'sum(rate(orb_fetchs_total[5m]))': /there is no orb_fetchs_total/,
      'sum(rate(orb_fetches_total[5m])': /brackets/,
      'orb_urls{state="waitng"} > 0': /has no state="waitng"/,
      'rate(orb_hosts[5m])': /a rate of the gauge orb_hosts/,
      'sum(orb_outlinks_per_page_count)': /without a rate/,
      'histogram_quantile(0.5, orb_outlinks_per_page)': /there is no orb_outlinks_per_page/,
    };
    for (const [expr, problem] of Object.entries(wrong)) {
      assert.match(problemIn(expr, scrape) ?? '', problem);
    }
  });

  test('checks: YAML beyond the little that our files use is refused', () => {
    for (const text of [
      'a: [1]',
      'a: "x"',
      'a:\n\tb: c',
      'a: b\na: c',
      'a:\n    b: c\n  d: e',
      'a: {{ x }}',
    ]) {
      assert.throws(() => plainYaml(text), SyntaxError, text);
    }
    const read = plainYaml(
      "a:\n  - b: 'it''s: x'\n    c: >-\n      1\n      + 2\n  - plain\nd: e # f\n".replace(
        ' # f',
        '',
      ),
    );
    assert.deepEqual(read, { a: [{ b: "it's: x", c: '1 + 2' }, 'plain'], d: 'e' });
  });
});
