/**
 * House rules that a machine can check (STYLE.md): who may import whom, which calls reach the
 * outside world, no dead files, and a folder's index that opens with a drawing or a list.
 */
import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const LINES_MAX = 400;

const THINKING = [
  'url',
  'seen',
  'frontier',
  'robots',
  'fetch',
  'page',
  'content',
  'document',
  'recrawl',
  'quality',
  'record',
  'events',
  'plan',
  'archive',
  'metrics',
  'sign',
  'comply',
  'hooks',
  'readable',
  'ring',
  'region',
];
/** Each folder of src/ and the folders that it may import from. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  base: ['base'],
  ...Object.fromEntries(THINKING.map((folder) => [folder, ['base', ...THINKING]])),
  config: ['base', ...THINKING, 'config'],
  ports: ['base', ...THINKING, 'ports'],
  crawl: ['base', ...THINKING, 'config', 'ports', 'crawl'],
  adapters: ['base', ...THINKING, 'ports', 'adapters'],
  edge: ['base', ...THINKING, 'config', 'ports', 'crawl', 'edge'],
};
/** The composition root: the only files that may name an adapter beside the adapters. */
const ROOT_FILES = new Set([
  ...[
    'main.ts',
    'compose.ts',
    'compose-folder.ts',
    'compose-engines.ts',
    'compose-hooks.ts',
    'compose-chores.ts',
    'compose-ports.ts',
    'compose-read.ts',
    'compose-fetcher.ts',
    'compose-hands.ts',
    'compose-nearness.ts',
    'compose-shared.ts',
    'index.ts',
    'demo-web.ts',
  ],
  ...['', '-places', '-engines', '-records', '-read', '-follow', '-check', '-erase', '-hooks'].map(
    (part) => `compose-cluster${part}.ts`,
  ),
  ...['', '-folder', '-refused', '-engines', '-enter', '-follow', '-ask', '-check', '-lend'].map(
    (part) => `compose-ring${part}.ts`,
  ),
]);

interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function sources(pattern: string): Source[] {
  return globSync(pattern, { cwd: root })
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const found = text.matchAll(/(?:from|import|import\()\s*'(\.{1,2}\/[^']+)'/g);
      const imports = [...found].map((m) =>
        relative(root, join(root, dirname(path), m[1] as string)),
      );
      return { path, text, imports };
    });
}

const all = sources('{bin,src,kernel,testweb,test,bench,tools}/**/*.{ts,tsx}');
const code = all.filter(
  ({ path }) => path.startsWith('src/') && !/\.(test|contract|testkit)(\.\w+)?\.ts$/.test(path),
);
const folderOf = (path: string) => path.split('/')[1] ?? '';

test('tidy: a folder imports only from the layers below it', () => {
  const wrong = code.flatMap(({ path, imports }) => {
    const folder = folderOf(path);
    if (ROOT_FILES.has(folder)) return [];
    const allowed = LAYERS[folder];
    assert.ok(allowed, `src/${folder} has a place in the layers`);
    return imports.filter((to) => !allowed.includes(folderOf(to))).map((to) => `${path} → ${to}`);
  });
  assert.deepEqual(wrong, []);
});

test('tidy: only adapters, main and compose reach the clock, chance, environment and console', () => {
  const banned =
    /\b(?:Date\.now\(|Math\.random\(|setTimeout\(|setInterval\(|process\.env\b|console\.|new Date\(\))/;
  const wrong = code
    .filter(({ path }) => !path.startsWith('src/adapters/node/') && !ROOT_FILES.has(folderOf(path)))
    .filter(({ path }) => path !== 'src/edge/dashboard/pages/browser.ts')
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, i) =>
          banned.test(line) && !/^\s*(?:\*|\/\/|\/\*)/.test(line) ? [`${path}:${i + 1}`] : [],
        ),
    );
  assert.deepEqual(wrong, []);
});

test('tidy: thinking does not wait and does not touch', () => {
  const wrong = code
    .filter(({ path }) => THINKING.includes(folderOf(path)))
    .filter(({ text }) =>
      /\bawait\b|\basync\b|from 'node:(?:fs|net|http|dns|worker_threads)/.test(uncommented(text)),
    );
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  );
});

test('tidy: every file of src is imported by another, or is an entrance', () => {
  const entrances = new Set(['src/main.ts', 'src/index.ts', 'src/adapters/node/digest-worker.ts']);
  const imported = new Set(all.flatMap(({ imports }) => imports));
  const isLive = (path: string) =>
    imported.has(path) || entrances.has(path) || /index\.ts$/.test(path);
  const dead = code.filter(({ path }) => !isLive(path));
  assert.deepEqual(
    dead.map(({ path }) => path),
    [],
  );
});

/** What is loaded with a file before anything is done; a type leaves nothing behind. */
function loadedWith(path: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const text = all.find((source) => source.path === path)?.text ?? '';
  for (const [, to] of text.matchAll(/^(?:import|export) (?!type )[^;]*? from '(\.[^']+)';/gm)) {
    loadedWith(join(dirname(path), to as string), seen);
  }
  return seen;
}

test('tidy: a command and the library begin without the crawler', () => {
  const heavy =
    /^src\/(?:compose|crawl\/|content\/digest|document\/pdf|adapters\/(?:embedded|chromium|api))/;
  const wrong = ['src/main.ts', 'src/index.ts'].flatMap((entrance) =>
    [...loadedWith(entrance)].filter((path) => heavy.test(path)).map((to) => `${entrance} → ${to}`),
  );
  assert.deepEqual(wrong, []);
  assert.ok(loadedWith('src/compose.ts').has('src/crawl/visit.ts'), 'and the crawl has its path');
});

test('tidy: every folder of src has an index that opens with a drawing or a list', () => {
  const missing: string[] = [];
  const look = (folder: string) => {
    const entries = readdirSync(join(root, folder));
    const hasCode = entries.some((name) => name.endsWith('.ts'));
    if (hasCode && folder !== 'src') {
      const text = entries.includes('index.ts')
        ? readFileSync(join(root, folder, 'index.ts'), 'utf8')
        : '';
      if (!/^\/\*\*[\s\S]*?\n \* {3,}\S[\s\S]*?\*\//.test(text)) missing.push(folder);
    }
    for (const name of entries) {
      if (statSync(join(root, folder, name)).isDirectory()) look(join(folder, name));
    }
  };
  look('src');
  assert.deepEqual(missing, []);
});

test('tidy: every file of src opens by saying what it is', () => {
  const silent = code.filter(({ text }) => !text.startsWith('/**'));
  assert.deepEqual(
    silent.map(({ path }) => path),
    [],
  );
});

test(`tidy: no file is longer than ${LINES_MAX} lines`, () => {
  const long = all.filter(({ text }) => text.split('\n').length > LINES_MAX);
  assert.deepEqual(
    long.map(({ path }) => path),
    [],
  );
});

test('tidy: exports are named, one by one', () => {
  const wrong = code.filter(({ text }) => /^export (?:\*|default)/m.test(text));
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  );
});

test('tidy: names say what a thing is', () => {
  const vague = /(?:Manager|Helper|Util|Service|Abstract|Impl)\b/;
  const wrong = code.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:class|interface|type|function|const) (\w+)/gm)]
      .map((m) => m[1] as string)
      .filter((name) => vague.test(name))
      .map((name) => `${path}: ${name}`),
  );
  const files = all.filter(({ path }) => /(?:util|helper|misc)s?\.ts$/i.test(basename(path)));
  assert.deepEqual([...wrong, ...files.map(({ path }) => path)], []);
});

test('tidy: no path of a machine stands in the tree', () => {
  const home = /(?:\/root\/|\/home\/\w+\/|\/Users\/\w+\/)/;
  const wrong = all.filter(({ text, path }) => home.test(text) && path !== 'test/tidy.test.ts');
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  );
});

function uncommented(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');
}
