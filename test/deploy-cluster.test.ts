/**
 * The manifests of a cluster: every flag, environment name, port, path and address in them is one
 * that the program, or another line of them, really has.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { ENTRIES, isClustered, isRefusal, resolveSettings } from '../src/config/index.ts';
import { NODE_ROLES } from '../src/config/sections/cluster.ts';
import { healthEndpoints } from '../src/edge/api/health.ts';
import { COMMANDS } from '../src/edge/cli/help-commands.ts';
import { orb } from './kit/index.ts';

type Env = Record<string, string>;
// biome-ignore lint/suspicious/noExplicitAny: what a manifest holds is what the tests look at
type Yaml = any;

const fileIn = (path: string) =>
  readFileSync(new URL(`../deploy/${path}`, import.meta.url), 'utf8');
const compose: Yaml = parse(fileIn('compose.yaml'), { merge: true, strict: true });
const documents: Yaml[] = ['config.yaml', 'crawl.yaml', 'api.yaml'].flatMap((name) =>
  parseAllDocuments(fileIn(`k8s/${name}`), { strict: true }).map((document) => {
    assert.deepEqual(document.errors, [], name);
    return document.toJS() as Yaml;
  }),
);
const ofKind = (...kinds: string[]) => documents.filter(({ kind }) => kinds.includes(kind));
const workloads = ofKind('StatefulSet', 'Deployment');
const nodes: [string, Yaml][] = Object.entries<Yaml>(compose.services).filter(
  ([, { image }]) => image === 'orbweaver',
);
const paths = healthEndpoints({} as never).map(({ path }) => path);

/** As `docker compose` fills it in. */
function filled(env: Record<string, unknown>): Env {
  const values = Object.entries(env).map(([name, value]) => [
    name,
    String(value).replace(/\$\{\w+:\?[^}]*\}/, 'https://example.com/bot'),
  ]);
  return Object.fromEntries(values) as Env;
}

/** What the SDK of S3 reads by itself. */
const OF_AWS = new Set(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']);

function unknownIn(env: Env): string[] {
  const known = new Set(ENTRIES.map(({ environment }) => environment));
  return Object.keys(env).filter((name) => !known.has(name) && !OF_AWS.has(name));
}

/** The settings of a node that is started so; fails with what is wrong. */
function settingsOf(env: Env, args: readonly string[]) {
  assert.equal(args[0], 'serve');
  const resolved = resolveSettings({ env, argv: [...args.slice(1)] });
  assert.ok(!isRefusal(resolved), JSON.stringify(resolved));
  assert.ok(isClustered(resolved.settings));
  assert.ok(resolved.settings.agent.contact, 'a service says who crawls');
  return resolved.settings;
}

function k8sEnv({ envFrom }: Yaml): Env {
  const found = (envFrom as Yaml[]).map(({ configMapRef, secretRef }) => {
    const [kind, { name }] = configMapRef ? ['ConfigMap', configMapRef] : ['Secret', secretRef];
    const source = ofKind(kind).find(({ metadata }) => metadata.name === name);
    assert.ok(source, `${kind} ${name}`);
    return source.data ?? source.stringData;
  });
  return filled(Object.assign({}, ...found));
}

describe('deploy: compose.yaml', () => {
  test('three nodes, each with settings that the program takes', () => {
    assert.deepEqual(
      nodes.map(([name]) => name),
      ['node-1', 'node-2', 'node-3'],
    );
    for (const [name, { environment, command }] of nodes) {
      const env = filled(environment);
      assert.deepEqual(unknownIn(env), [], name);
      const { serve } = settingsOf(env, command);
      assert.ok(serve.serverName.includes(name), `${name} is called by its name`);
    }
  });

  test('every engine of a node is a service, at the port and with the password given', () => {
    const { services } = compose;
    const { cluster } = settingsOf(filled(nodes[0]?.[1].environment), ['serve']);
    const [redis, postgres, s3] = [cluster.redis[0], cluster.postgres, cluster.s3Endpoint].map(
      (url) => new URL(String(url)),
    ) as [URL, URL, URL];
    const [kafka = '', port] = cluster.kafka[0]?.split(':') ?? [];
    const advertised = services[kafka].environment.KAFKA_ADVERTISED_LISTENERS;
    assert.equal(advertised, `PLAINTEXT://${kafka}:${port}`);
    assert.equal(redis.port || '6379', '6379');
    assert.ok(services[redis.hostname]);
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } =
      services[postgres.hostname].environment;
    assert.deepEqual(
      [postgres.username, postgres.password, postgres.pathname],
      [POSTGRES_USER, POSTGRES_PASSWORD, `/${POSTGRES_DB}`],
    );
    const { command, environment } = services[s3.hostname];
    assert.ok(command.includes(`:${s3.port}`));
    const keys = nodes[0]?.[1].environment;
    assert.equal(environment.ROOT_ACCESS_KEY, keys.AWS_ACCESS_KEY_ID);
    assert.equal(environment.ROOT_SECRET_KEY, keys.AWS_SECRET_ACCESS_KEY);
    assert.ok(services['s3-bucket'].command.includes(`/files/${cluster.bucket}`));
  });

  test('a node waits for its engines, is asked whether it lives, and has time to end', () => {
    for (const [name, node] of nodes) {
      for (const other of Object.keys(node.depends_on)) assert.ok(compose.services[other], other);
      const { serve } = settingsOf(filled(node.environment), node.command);
      const [, asked = '', path] = /127\.0\.0\.1:(\d+)(\/\w+)/.exec(node.healthcheck.test[3]) ?? [];
      assert.deepEqual([Number(asked), paths.includes(path ?? '')], [serve.port, true], name);
      assert.match(node.ports[0], new RegExp(`^127\\.0\\.0\\.1:\\d+:${serve.port}$`));
      assert.ok(Number.parseInt(node.stop_grace_period, 10) >= 60);
    }
  });

  test('volumes are declared, and Prometheus reads every node', () => {
    const named = Object.values<Yaml>(compose.services)
      .flatMap(({ volumes = [] }) => volumes as string[])
      .map((volume) => volume.split(':')[0] as string)
      .filter((from) => !from.startsWith('.'));
    assert.deepEqual([...new Set(named)].sort(), Object.keys(compose.volumes).sort());
    const [{ static_configs: configs, job_name: job }]: Yaml[] = parse(
      fileIn('prometheus/cluster.yml'),
    ).scrape_configs;
    assert.equal(job, 'orbweaver');
    assert.deepEqual(
      configs[0].targets,
      nodes.map(([name]) => `${name}:7070`),
    );
  });
});

describe('deploy: k8s', () => {
  test('every workload starts with settings that the program takes; all roles are there', () => {
    const roles = workloads.flatMap(({ metadata, spec }) => {
      const [container] = spec.template.spec.containers;
      const env = k8sEnv(container);
      assert.deepEqual(unknownIn(env), [], metadata.name);
      const { cluster, serve } = settingsOf(env, container.args);
      assert.equal(container.ports[0].containerPort, serve.port);
      return cluster.roles;
    });
    assert.deepEqual(new Set(roles), new Set(NODE_ROLES));
  });

  test('probes ask paths that the service has, at a port that is named', () => {
    for (const { spec } of workloads) {
      const [container] = spec.template.spec.containers;
      const { startupProbe, livenessProbe, readinessProbe } = container;
      for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
        assert.ok(paths.includes(httpGet.path), httpGet.path);
        assert.equal(httpGet.port, container.ports[0].name);
      }
      assert.equal(livenessProbe.httpGet.path, '/healthz');
      assert.ok(spec.template.spec.terminationGracePeriodSeconds >= 30);
    }
  });

  test('selectors, budgets, services and secrets name what there is', () => {
    const labelled = (wanted: Env) =>
      workloads.filter(({ spec }) =>
        Object.entries(wanted).every(
          ([key, value]) => spec.template.metadata.labels[key] === value,
        ),
      );
    for (const { metadata, spec } of workloads) {
      assert.equal(labelled(spec.selector.matchLabels).length, 1, metadata.name);
      const own = ofKind('PodDisruptionBudget').filter(
        (budget) => labelled(budget.spec.selector.matchLabels)[0]?.metadata.name === metadata.name,
      );
      assert.equal(own.length, 1, `${metadata.name} has a budget`);
      for (const { secret } of spec.template.spec.volumes) {
        assert.ok(ofKind('Secret').some((one) => one.metadata.name === secret.secretName));
      }
      if (spec.serviceName) {
        assert.ok(ofKind('Service').some((one) => one.metadata.name === spec.serviceName));
      }
    }
    for (const { metadata, spec } of ofKind('Service')) {
      const [found] = labelled(spec.selector);
      const [{ ports }] = found.spec.template.spec.containers;
      assert.equal(spec.ports[0].targetPort, ports[0].name, metadata.name);
    }
  });

  test('tokens are where the nodes look for them', () => {
    for (const { spec } of workloads) {
      const [container] = spec.template.spec.containers;
      const { serve } = settingsOf(k8sEnv(container), container.args);
      const [mount] = container.volumeMounts;
      const { secretName } = spec.template.spec.volumes[0].secret;
      const secret = ofKind('Secret').find(({ metadata }) => metadata.name === secretName);
      assert.ok(
        Object.keys(secret.stringData).some(
          (name) => `${mount.mountPath}/${name}` === serve.tokens,
        ),
      );
    }
  });
});

describe('deploy: Dockerfile', () => {
  test('it has the drivers of the engines, as the package wants them, and the port', () => {
    const text = fileIn('Dockerfile');
    const wanted = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
      .peerDependencies as Env;
    for (const name of ['pg', 'redis', '@platformatic/kafka', '@aws-sdk/client-s3']) {
      const major = /\d+/.exec(wanted[name] ?? '')?.[0];
      assert.ok(text.includes(` ${name}@${major} `), `${name}@${major}`);
    }
    assert.match(text, /^EXPOSE 7070$/m);
  });
});

test("doctor --lifecycle: the rules of this crawl's bodies, and nothing else (B1)", async (t) => {
  const env = { ...filled(nodes[0]?.[1].environment), ORB_CLUSTER_NAME: 'news' };
  const { stdout, code } = await orb(t, ['doctor', '--lifecycle', 'json'], { env });
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).Rules[0].Filter.Prefix, 'news/');
});

test('guide: every alert is explained, every setting and command in it is one', () => {
  const guide = readFileSync(new URL('../docs/operate/README.md', import.meta.url), 'utf8');
  const alerts = fileIn('prometheus/alerts.yml').match(/(?<=alert: )\w+/g) ?? [];
  assert.deepEqual(
    alerts.filter((alert) => !guide.includes(`\`${alert}\``)),
    [],
  );
  const flags = new Set(ENTRIES.map(({ flag }) => `--${flag}`));
  const ours = [...guide.matchAll(/`(--[a-z-]+)|orb \w+ (--[a-z-]+)/g)].map(
    ([, alone, after]) => alone ?? after ?? '',
  );
  assert.ok(ours.length > 10);
  assert.deepEqual(
    ours.filter((flag) => !flags.has(flag)),
    [],
  );
  for (const [, name = ''] of guide.matchAll(/`orb (\w+)/g)) {
    assert.ok(
      COMMANDS.some((command) => command.name === name),
      name,
    );
  }
});

test('checks: a name that the program does not have is found', () => {
  assert.deepEqual(unknownIn({ ORB_CLUSTER_KAFKAS: 'x:1', ORB_CLUSTER_NAME: 'a' }), [
    'ORB_CLUSTER_KAFKAS',
  ]);
});
