import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exitCodeOf, type Mistake } from './mistake.ts';
import {
  configFileName,
  isRefusal,
  type Resolution,
  resolveSettings,
  type Sources,
} from './resolve.ts';
import { ENTRIES } from './settings.ts';

function good(sources: Sources): Resolution {
  const result = resolveSettings(sources);
  assert.ok(!isRefusal(result), isRefusal(result) ? JSON.stringify(result.mistakes) : '');
  return result;
}

function bad(sources: Sources): readonly Mistake[] {
  const result = resolveSettings(sources);
  assert.ok(isRefusal(result), 'it was taken');
  return result.mistakes;
}

const file = (value: unknown): { name: string; text: string } => ({
  name: 'orb.json',
  text: typeof value === 'string' ? value : JSON.stringify(value),
});

test('precedence: option over flag over environment over file over default', () => {
  const sources = {
    options: { depth: 1 },
    argv: ['--depth', '2'],
    env: { ORB_LIMITS_DEPTH: '3' },
    file: file({ limits: { depth: 4 } }),
  };
  assert.equal(good(sources).settings.limits.depth, 1);
  assert.equal(good({ ...sources, options: {} }).settings.limits.depth, 2);
  assert.equal(good({ ...sources, options: {}, argv: [] }).settings.limits.depth, 3);
  assert.equal(good({ file: sources.file }).settings.limits.depth, 4);
  assert.equal(good({}).settings.limits.depth, 20);
});

test('explicit: it names the strongest place of what was given, and nothing else', () => {
  const { explicit } = good({
    argv: ['--limit', '5'],
    env: { ORB_LIMITS_LIMIT: '6', ORB_LIMITS_DEPTH: '3' },
  });
  assert.deepEqual([...explicit].sort(), [
    ['limits.depth', 'environment'],
    ['limits.limit', 'flag'],
  ]);
});

test('of a flag given twice the last one counts, lists are joined', () => {
  const { settings } = good({ argv: ['-d1', '-d2', '--include', 'a', '--include', 'b,c'] });
  assert.equal(settings.limits.depth, 2);
  assert.deepEqual(settings.scope.include, [/a/, /b,c/]);
});

test('lists: a stronger place replaces the list of a weaker one', () => {
  const { settings } = good({
    argv: ['--types', 'a/b', '--types', 'c/d,e/f'],
    env: { ORB_FETCH_TYPES: 'x/y' },
  });
  assert.deepEqual(settings.fetch.types, ['a/b', 'c/d', 'e/f']);
});

test('environment: an empty variable is not set, a foreign one is not ours', () => {
  const { explicit } = good({ env: { ORB_LIMITS_DEPTH: '', ORBIT: 'x', PATH: '/' } });
  assert.equal(explicit.size, 0);
});

test('environment: NO_COLOR turns colour off, unless it is empty or a flag says otherwise', () => {
  assert.equal(good({ env: { NO_COLOR: '1' } }).settings.output.color, false);
  assert.equal(good({ env: { NO_COLOR: '' } }).settings.output.color, true);
  assert.equal(good({ env: { NO_COLOR: '1' }, argv: ['--color'] }).settings.output.color, true);
});

test('environment: an unknown ORB_ variable is refused with the nearest one', () => {
  const [mistake, ...more] = bad({ env: { ORB_LIMITS_DEPHT: '3' } });
  assert.equal(more.length, 0);
  assert.equal(mistake?.code, 'E_CONFIG');
  assert.match(mistake?.hint ?? '', /ORB_LIMITS_DEPTH/);
});

test('file: unknown sections and keys are refused with the nearest one', () => {
  const mistakes = bad({
    file: file({ limts: { depth: 3 }, limits: { dept: 3 }, depth: 3, scope: { depth: 2 } }),
  });
  assert.equal(mistakes.length, 4);
  assert.ok(mistakes.every(({ code }) => code === 'E_CONFIG'));
  assert.match(mistakes[1]?.hint ?? '', /limits\.depth/);
  assert.match(mistakes[2]?.hint ?? '', /limits\.depth/);
});

test('file: what is not an object of sections is refused in its own words', () => {
  for (const text of ['', '{', '[]', 'null', '3', '{"limits": 3}', '{"limits": []}', "{'a':1}"]) {
    const [mistake, ...more] = bad({ file: file(text) });
    assert.equal(more.length, 0, text);
    assert.match(mistake?.message ?? '', /orb\.json/, text);
  }
});

test('file: wrong types are refused, comments and a byte order mark are passed over', () => {
  const wrong = { limits: { depth: '3', maxTime: 30 }, crawl: { fresh: 'yes', config: 'x' } };
  assert.equal(bad({ file: file(wrong) }).length, 4);
  const text = '\ufeff{"$schema": "x", "// why": 1, "limits": {"//": "x", "depth": 3}}';
  assert.equal(good({ file: file(text) }).settings.limits.depth, 3);
});

test('file: __proto__ and constructor are unknown keys like others', () => {
  assert.equal(bad({ file: file('{"__proto__": {}, "constructor": {}}') }).length, 2);
  assert.equal(bad({ file: file('{"limits": {"__proto__": 1, "toString": 1}}') }).length, 2);
});

test('options: names are those of the flags in camelCase, undefined is not given', () => {
  const { settings, explicit } = good({
    options: {
      maxTime: '2h',
      include: [/a/i],
      allowPrivate: true,
      rate: 'max',
      depth: undefined as never,
    },
  });
  assert.equal(settings.limits.maxTimeMs, 7_200_000);
  assert.deepEqual(settings.scope.include, [/a/i]);
  assert.equal(settings.polite.rate, Infinity);
  assert.ok(!explicit.has('limits.depth'));
  const [mistake] = bad({ options: { maxtime: '2h' } as never });
  assert.match(mistake?.hint ?? '', /maxTime/);
});

test('mistakes: all of all places are reported at once, each with what to do', () => {
  const mistakes = bad({
    argv: ['nourl', '--depth', 'x', '--bogus', '--timeout', '9 parsecs', '--include', '('],
    env: { ORB_POLITE_RATE: '-1', ORB_NOPE: '1' },
    file: file({ fetch: { concurrency: 0 }, output: { format: 'xml' } }),
  });
  assert.equal(mistakes.length, 9);
  for (const { message, hint } of mistakes) {
    assert.match(message, /\.$/);
    assert.match(hint, /^(Give|Did|Write|See) .*\.$/);
  }
});

test('mistakes: a value is wrong also where a stronger place overrides it', () => {
  assert.equal(bad({ argv: ['-d3'], env: { ORB_LIMITS_DEPTH: 'deep' } }).length, 1);
});

test('mistakes: the hint is in the form of the place', () => {
  const hintOf = (sources: Sources): string => bad(sources)[0]?.hint ?? '';
  assert.match(hintOf({ argv: ['--max-time', 'x'] }), /--max-time 2h\.$/);
  assert.match(hintOf({ env: { ORB_LIMITS_MAX_TIME: 'x' } }), /ORB_LIMITS_MAX_TIME=2h\.$/);
  assert.match(hintOf({ file: file({ limits: { maxTime: 'x' } }) }), /"maxTime": "2h"\.$/);
  assert.match(hintOf({ file: file({ limits: { depth: 'x' } }) }), /"depth": 3\.$/);
});

test('mistakes: a secret is never repeated, long and hostile values are cut', () => {
  const texts = bad({
    argv: ['--header', 'hunter2', '--cookies', 'hunter2', '--proxy', 'hunter2:x'],
    options: { header: 'hunter2' },
  }).map(({ message }) => message);
  assert.equal(texts.length, 4);
  assert.ok(!texts.join().includes('hunter2'), texts.join());
  const [long] = bad({ argv: [`--depth=\u001b[2J\u202e\n${'x'.repeat(9_999)}`] });
  assert.ok((long?.message.length ?? 0) < 140);
  assert.doesNotMatch(long?.message ?? '', /\p{C}/u);
});

test('seeds: whole URLs are kept as given, others are mistakes with what to write', () => {
  assert.deepEqual(good({ argv: ['HTTP://A.example/x#y'] }).seeds, ['HTTP://A.example/x#y']);
  const seeds = ['example.com', 'localhost:80', 'ftp://a.example/', 'http://', 'not a url', ''];
  const mistakes = bad({ argv: ['--', ...seeds] });
  assert.equal(mistakes.length, seeds.length);
  assert.ok(mistakes.every(({ code }) => code === 'E_SEED'));
  assert.equal(mistakes[0]?.hint, 'Write it as https://example.com/.');
  assert.deepEqual(good({ argv: ['politeness'], operands: 'any' }).seeds, ['politeness']);
});

test('exit code: the command line ends with 2, environment and file with 4, both with 2', () => {
  const environment = { ORB_LIMITS_DEPTH: 'x' };
  assert.equal(exitCodeOf(bad({ argv: ['--bogus'] })), 2);
  assert.equal(exitCodeOf(bad({ argv: ['nourl'] })), 2);
  assert.equal(exitCodeOf(bad({ env: environment })), 4);
  assert.equal(exitCodeOf(bad({ file: file('{') })), 4);
  assert.equal(exitCodeOf(bad({ env: environment, argv: ['--bogus'] })), 2);
});

test('config file: its name comes from the flag, then from the environment', () => {
  const env = { ORB_CRAWL_CONFIG: 'b.json' };
  assert.equal(configFileName(['u', '--config', 'a.json'], env), 'a.json');
  assert.equal(configFileName(['--bogus', '--config=a.json'], {}), 'a.json');
  assert.equal(configFileName([], env), 'b.json');
  assert.equal(configFileName(['--', '--config', 'a.json'], {}), undefined);
});

const piece = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('-', '--', '=', 'max', '0', '-1', '1s', 'true', '(', 'https://a.example/'),
  fc.constantFrom(...ENTRIES.map(({ flag }) => `--${flag}`)),
  fc.constantFrom(...ENTRIES.map(({ flag }) => `--no-${flag}`)),
  fc
    .tuple(fc.constantFrom(...ENTRIES), fc.string())
    .map(([entry, text]) => `--${entry.flag}=${text}`),
  fc.string({ maxLength: 6 }).map((text) => `-${text}`),
);

test('any command line: it resolves or is refused with sentences, and never throws', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (argv) => {
      const result = resolveSettings({ argv });
      if (!isRefusal(result)) return;
      assert.ok(result.mistakes.length > 0);
      for (const { message, hint } of result.mistakes) assert.ok(message !== '' && hint !== '');
    }),
    { numRuns: 1_000 },
  );
});

test('any environment, file and options: they resolve or are refused, and never throw', () => {
  const name = fc.constantFrom(
    ...ENTRIES.map(({ environment }) => environment),
    'ORB_',
    'NO_COLOR',
  );
  const section = fc.constantFrom('limits', 'polite', 'fetch', 'x');
  const key = fc.constantFrom(...ENTRIES.map((entry) => entry.name));
  const anything = fc.anything({ maxDepth: 1, maxKeys: 3 });
  const values = fc.dictionary(key, anything);
  const json = fc.dictionary(section, fc.oneof(values, anything));
  fc.assert(
    fc.property(fc.dictionary(name, fc.string()), json, values, (env, object, options) => {
      let text = '{';
      try {
        text = JSON.stringify(object) ?? text;
      } catch {
        // Values that JSON cannot write, such as big integers, leave the broken text.
      }
      assert.ok(resolveSettings({ env, file: { name: 'x', text }, options: options as never }));
    }),
    { numRuns: 100 },
  );
});
