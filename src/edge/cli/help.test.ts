import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENTRIES, EXIT_CODES, isBeside, isRefusal, resolveSettings } from '../../config/index.ts';
import { helpText, mistakesText, overviewText } from './help.ts';
import { COMMANDS, type Command, commandByName, takes } from './help-commands.ts';

const crawl = commandByName('crawl') as Command;

test('help: no line is wider than 100 columns', () => {
  for (const command of COMMANDS) {
    for (const line of helpText(command).split('\n')) assert.ok(line.length <= 100, line);
    assert.doesNotMatch(helpText(command), /[ \t]\n|undefined|NaN|\[\]|\n\n\n/);
  }
  for (const line of overviewText('1.0').split('\n')) assert.ok(line.length <= 100, line);
  assert.equal(helpText(crawl, 500), helpText(crawl, 100));
});

test('help: on a narrow terminal only the command lines of examples may be wider', () => {
  const wide = helpText(crawl, 70)
    .split('\n')
    .filter((line) => line.length > 70);
  for (const line of wide) assert.match(line, /^ {2}orb crawl \S/);
});

test('mistakes: each is two harmless lines, what happened and what to do', () => {
  const result = resolveSettings({ argv: ['--bogus', '--depth=\u001b[2J'] });
  assert.ok(isRefusal(result));
  const lines = mistakesText(result.mistakes).trimEnd().split('\n');
  assert.equal(lines.length, 4);
  assert.equal(lines[0], 'orb: The flag --bogus is not known.');
  assert.match(lines[3] ?? '', /^ {5}Give a whole number/);
  assert.doesNotMatch(lines.join(''), /\p{Cc}/u);
});

test('help of crawl: every setting of a crawl is there with its flag, its sentence and its default', () => {
  const text = helpText(crawl).replace(/\s+/g, ' ');
  for (const entry of ENTRIES) {
    if (isBeside(entry)) continue;
    const { flag, setting } = entry;
    assert.match(text, new RegExp(`--(\\[no-\\])?${flag}[ ,]`), flag);
    assert.ok(text.includes(setting.help), flag);
  }
  for (const { code, what } of Object.values(EXIT_CODES))
    assert.ok(text.includes(`${code} ${what}`));
  assert.match(text, /-d, --depth N .*?\[20\]/);
  assert.match(text, /--\[no-\]http2 .*?\[on\]/);
});

test('help: examples come before flags, and each is a command line that is taken', () => {
  for (const command of COMMANDS) {
    const text = helpText(command);
    assert.ok(text.indexOf('Examples') < text.search(/\n +(-\w, )?--/));
    for (const [line] of command.examples) {
      const [, name, ...argv] = line.split(' ').map((word) => word.replace(/^'(.*)'$/, '$1'));
      assert.equal(name, command.name);
      const accepts = takes.bind(undefined, command);
      const operands = name === 'crawl' ? 'seeds' : 'any';
      const result = resolveSettings({ argv, accepts, operands });
      assert.ok(!isRefusal(result), isRefusal(result) ? JSON.stringify(result) : '');
    }
  }
});

test('help: a command shows the flags that it takes and no others', () => {
  const text = helpText(commandByName('status') as Command);
  assert.match(text, /--dir DIR/);
  assert.doesNotMatch(text, /--depth|--rate|Exit codes/);
});

test('commands: what a command takes are sections and settings that exist', () => {
  const known = new Set<string>(ENTRIES.flatMap(({ key, section }) => [key, section]));
  for (const { name, takes: taken } of COMMANDS) {
    for (const one of taken) assert.ok(known.has(one), `${name}: ${one}`);
  }
});

test('overview: every command with its summary', () => {
  const text = overviewText('1.2.3');
  assert.match(text, /1\.2\.3/);
  for (const { name, summary } of COMMANDS) {
    assert.ok(text.includes(`orb ${name}`));
    assert.ok(text.includes(summary));
  }
});
