/** The manifests of parsers and renderers as fleets: what they say is what the program takes (K3). */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import {
  ENTRIES,
  handRoleOf,
  isRefusal,
  readsElsewhere,
  resolveSettings,
} from '../src/config/index.ts';
import { healthEndpoints } from '../src/edge/api/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a manifest holds is what the tests look at
type Yaml = any;

const textOf = (path: string) =>
  readFileSync(new URL(`../deploy/${path}`, import.meta.url), 'utf8');
const FLEETS = (['parse', 'render'] as const).map((role) => {
  const documents: Yaml[] = parseAllDocuments(textOf(`k8s-fleets/${role}.yaml`), {
    strict: true,
  }).map((document) => {
    assert.deepEqual(document.errors, []);
    return document.toJS();
  });
  return { role, ofKind: (kind: string): Yaml => documents.find((one) => one.kind === kind) };
});
const KNOWN = new Set(ENTRIES.map(({ environment }) => environment));

function settingsOf(env: Record<string, string>, [command, ...argv]: readonly string[]) {
  assert.equal(command, 'serve');
  assert.deepEqual(
    Object.keys(env).filter((name) => !KNOWN.has(name)),
    [],
  );
  const resolved = resolveSettings({ env, argv });
  assert.ok(!isRefusal(resolved), JSON.stringify(resolved));
  return resolved.settings;
}

for (const { role, ofKind } of FLEETS) {
  test(`deploy: Kubernetes, ${role}: starts with settings that the program takes, and is asked for its health`, () => {
    const { spec } = ofKind('Deployment');
    const { template, selector } = spec;
    const [{ args, envFrom, ports, livenessProbe, readinessProbe }] = template.spec.containers;
    const [config, secret] = [ofKind('ConfigMap'), ofKind('Secret')];
    const [{ configMapRef }, { secretRef }] = envFrom;
    assert.deepEqual(
      [configMapRef.name, secretRef.name],
      [config.metadata.name, secret.metadata.name],
    );
    const settings = settingsOf({ ...config.data, ...secret.stringData }, args);
    assert.equal(handRoleOf(settings), role);
    assert.ok(settings.fetcher.frontierToken !== undefined);
    assert.equal(ports[0].containerPort, settings.serve.port);
    const paths = healthEndpoints({} as never).map(({ path }) => path);
    for (const { httpGet } of [livenessProbe, readinessProbe]) {
      assert.ok(paths.includes(httpGet.path));
      assert.equal(httpGet.port, ports[0].name);
    }
    assert.deepEqual(template.metadata.labels, selector.matchLabels);
    assert.ok(template.spec.terminationGracePeriodSeconds >= 60);
  });

  test(`deploy: Kubernetes, ${role}: the nodes that it works for are those of the crawl`, () => {
    const [crawl]: Yaml[] = parseAllDocuments(textOf('k8s/crawl.yaml')).map((one) => one.toJS());
    const { serviceName, replicas } = crawl.spec;
    const named = Array.from(
      { length: replicas },
      (_, nth) => `http://${crawl.metadata.name}-${nth}.${serviceName}:7070/`,
    );
    assert.equal(ofKind('ConfigMap').data.ORB_FETCHER_FRONTIER, named.join(','));
    const [config]: Yaml[] = parseAllDocuments(textOf('k8s/config.yaml')).map((one) => one.toJS());
    const names: string[] = config.data.ORB_SERVE_SERVER_NAME.split(',');
    assert.deepEqual(
      named.map((url) => new URL(url).hostname).filter((name) => !names.includes(name)),
      [],
      'a node answers only by names that it knows',
    );
  });
}

test('deploy: compose with parsers: nodes lend their pages, parsers know all of the nodes', () => {
  const base: Yaml = parse(textOf('compose.yaml'), { merge: true });
  const more: Yaml = parse(textOf('compose.parsers.yaml'), { merge: true });
  const { parser, ...nodes } = more.services;
  const ours = Object.keys(base.services).filter((name) => name.startsWith('node-'));
  assert.deepEqual(Object.keys(nodes), ours);
  for (const { command } of Object.values<Yaml>(nodes)) {
    assert.ok(readsElsewhere(settingsOf({}, command)), command.join(' '));
  }
  const settings = settingsOf(parser.environment, parser.command);
  assert.equal(handRoleOf(settings), 'parse');
  const at = ours.map(
    (name) => `http://${name}:${base.services[name].environment.ORB_SERVE_PORT}/`,
  );
  assert.deepEqual(settings.fetcher.frontier, at);
  assert.ok(
    at.every((url) =>
      base.services['node-1'].environment.ORB_SERVE_SERVER_NAME.includes(new URL(url).hostname),
    ),
  );
});
