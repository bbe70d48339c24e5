/** The manifest of fetchers in another region: what it says is what the program takes (K4). */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { ENTRIES, isFetcher, isRefusal, resolveSettings } from '../src/config/index.ts';
import { fetchRegionFrom } from '../src/crawl/plan.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a manifest holds is what the tests look at
type Yaml = any;

const text = readFileSync(new URL('../deploy/k8s-region/fetch.yaml', import.meta.url), 'utf8');
const documents: Yaml[] = parseAllDocuments(text, { strict: true }).map((document) => {
  assert.deepEqual(document.errors, []);
  return document.toJS();
});
const ofKind = (kind: string): Yaml => documents.find((one) => one.kind === kind);

test('deploy: fetchers of a region start with settings that the program takes', () => {
  const { spec } = ofKind('Deployment');
  const [{ args, envFrom }] = spec.template.spec.containers;
  const [{ configMapRef }, { secretRef }] = envFrom;
  const [config, secret] = [ofKind('ConfigMap'), ofKind('Secret')];
  assert.deepEqual(
    [configMapRef.name, secretRef.name],
    [config.metadata.name, secret.metadata.name],
  );
  const env = { ...config.data, ...secret.stringData };
  const known = new Set(ENTRIES.map(({ environment }) => environment));
  assert.deepEqual(
    Object.keys(env).filter((name) => !known.has(name)),
    [],
  );
  assert.equal(args[0], 'serve');
  const resolved = resolveSettings({ env, argv: args.slice(1) });
  assert.ok(!isRefusal(resolved), JSON.stringify(resolved));
  const { settings } = resolved;
  assert.ok(isFetcher(settings));
  assert.equal(fetchRegionFrom(settings), 'eu');
  assert.ok(settings.fetcher.frontier.length > 1 && settings.fetcher.frontierToken !== undefined);
});

test('deploy: their selector finds them, and they have time to bring back what is under way', () => {
  const { template, selector } = ofKind('Deployment').spec;
  assert.deepEqual(template.metadata.labels, selector.matchLabels);
  assert.ok(template.spec.terminationGracePeriodSeconds >= 60);
  assert.equal(template.spec.securityContext.runAsNonRoot, true);
});
