import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asksFor, readArguments } from './arguments.ts';

function read(...argv: string[]): { given: string[]; rest: readonly string[]; wrong: string[] } {
  const { given, rest, mistakes } = readArguments(argv);
  return {
    given: given.map(({ entry, value }) => `${entry.key}=${value}`),
    rest,
    wrong: mistakes.map(({ message, hint }) => `${message} ${hint}`),
  };
}

test('flags: every way to write a value means the same', () => {
  for (const argv of [['--depth', '3'], ['--depth=3'], ['-d', '3'], ['-d3'], ['-d=3']]) {
    assert.deepEqual(read(...argv), { given: ['limits.depth=3'], rest: [], wrong: [] });
  }
});

test('switches: on, off, by value, and several letters in one', () => {
  assert.deepEqual(read('--fresh').given, ['crawl.fresh=true']);
  assert.deepEqual(read('--no-fresh').given, ['crawl.fresh=false']);
  assert.deepEqual(read('--fresh=no').given, ['crawl.fresh=no']);
  assert.deepEqual(read('-qvd2').given, [
    'output.quiet=true',
    'output.verbose=true',
    'limits.depth=2',
  ]);
});

test('switches: they never take the next argument', () => {
  assert.deepEqual(read('--fresh', 'https://a.example/').rest, ['https://a.example/']);
});

test('seeds: they stand anywhere, and after -- everything is one', () => {
  const { given, rest } = read('u1', '-d', '1', 'u2', '--', '--depth', '-d');
  assert.deepEqual(given, ['limits.depth=1']);
  assert.deepEqual(rest, ['u1', 'u2', '--depth', '-d']);
});

test('values: a dash alone and a negative number are values, another flag is not', () => {
  assert.deepEqual(read('-i', '-').given, ['crawl.input=-']);
  assert.deepEqual(read('--depth', '-1').given, ['limits.depth=-1']);
  assert.deepEqual(read('--exclude=-draft').given, ['scope.exclude=-draft']);
  const { given, wrong } = read('--depth', '--fresh');
  assert.deepEqual(given, ['crawl.fresh=true']);
  assert.match(wrong.join(), /^--depth has no value\. Give a whole number.*--depth 3\.$/);
  assert.match(read('-d').wrong.join(), /^-d has no value\. .*-d 3\.$/);
});

test('an empty value is given, and left to the kind to refuse', () => {
  assert.deepEqual(read('--depth=').given, ['limits.depth=']);
});

test('an unknown flag: it is named with the nearest one, and its value is no seed', () => {
  const { rest, wrong } = read('--dpeth', '3', 'https://a.example/');
  assert.deepEqual(rest, ['https://a.example/']);
  assert.match(wrong.join(), /^The flag --dpeth is not known\. Did you mean --depth\?/);
  assert.deepEqual(read('--whither', 'https://a.example/').rest, ['https://a.example/']);
});

test('an unknown flag: names from other crawlers lead to ours', () => {
  assert.match(read('--max-pages', '3').wrong.join(), /Did you mean --limit\?/);
  assert.match(read('--wait=3').wrong.join(), /Did you mean --delay\?/);
  assert.match(read('--ignore-robots').wrong.join(), /robots\.txt is always obeyed/);
  assert.match(read('--no-robots').wrong.join(), /robots\.txt is always obeyed/);
});

test('an unknown flag: odd ones are refused too', () => {
  const odd = ['--constructor', '--__proto__=1', '-z', '--=x', '---', '--d', '--no-depth', '-é'];
  for (const argument of odd) assert.equal(read(argument).wrong.length, 1, argument);
});

test('--no-x with a value is refused', () => {
  assert.match(read('--no-fresh=yes').wrong.join(), /takes no value/);
});

test('a command that does not take a flag says so and swallows its value', () => {
  const none = readArguments(['--depth', '3', '--no-fresh', 'x'], () => false);
  assert.deepEqual(none.rest, ['x']);
  assert.equal(none.mistakes.length, 2);
  assert.match(none.mistakes[0]?.message ?? '', /--depth means nothing to this command/);
});

test('help and version: seen before --, never after, and no mistake', () => {
  assert.equal(asksFor(['u', '-h']), 'help');
  assert.equal(asksFor(['--version']), 'version');
  assert.equal(asksFor(['--', '--help']), undefined);
  assert.deepEqual(read('--help', '--version', '-h'), { given: [], rest: [], wrong: [] });
});
