import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Kind, list, parseJson } from './kind.ts';
import { boolean, choice, duration, integer, number, rate, size, wordOr } from './kinds-plain.ts';
import { hostRegion, regionTag } from './kinds-region.ts';
import {
  contact,
  cookie,
  header,
  host,
  hostRate,
  mediaType,
  network,
  pattern,
  product,
  robotsToken,
  serverAddress,
  webUrl,
} from './kinds-web.ts';

function takes<T>(kind: Kind<T>, cases: Readonly<Record<string, T>>): void {
  for (const [text, value] of Object.entries(cases)) {
    assert.deepEqual(kind.parse(text), { value }, text);
  }
}

function refuses<T>(kind: Kind<T>, ...texts: readonly string[]): void {
  for (const text of texts) assert.ok('problem' in kind.parse(text), text);
}

test('duration: every unit, sums of them, and bare seconds are read as milliseconds', () => {
  takes(duration(), {
    '500ms': 500,
    '10s': 10_000,
    '5m': 300_000,
    '2h': 7_200_000,
    '1d': 86_400_000,
    '1h30m': 5_400_000,
    '1.5S': 1_500,
    '0': 0,
    '3': 3_000,
  });
  refuses(duration(), '', 's', '10 parsecs', '-1s', '1e3s', '10mb', 'NaN', '1s!', '9'.repeat(400));
});

test('size: units count in 1,024, and a bare number is bytes', () => {
  takes(size(), {
    '512': 512,
    '64kb': 65_536,
    '10MB': 10_485_760,
    '1.5 KiB': 1_536,
    '2g': 2 ** 31,
  });
  refuses(size(), '', 'mb', '-1', '10s', '1kbb', '1e400');
});

test('rate: a number or max', () => {
  takes(rate(), { '2': 2, '0.5': 0.5, MAX: Infinity });
  refuses(rate(), '0', '-1', '1001', 'fast', 'Infinity', '');
});

test('integer and number: form and range are checked apart', () => {
  takes(integer({ min: 0, max: 5 }), { '5': 5, '+3': 3, '0': 0 });
  takes(integer(), { '10_000': 10_000 });
  takes(number({ min: 0.1 }), { '0.5': 0.5, '1e3': 1_000, '.25': 0.25 });
  const kind = integer({ min: 0, max: 5 });
  assert.deepEqual(kind.parse('6'), { problem: 'is above the most, 5' });
  assert.deepEqual(kind.parse('-1'), { problem: 'is below the least, 0' });
  assert.deepEqual(kind.parse('1.5'), { problem: 'is not a whole number' });
  refuses(integer(), '', '0x10', '1e3', 'ten', '99999999999999999999', '１');
});

test('boolean and choice: words in any case, nothing else', () => {
  takes(boolean(), { true: true, YES: true, '1': true, off: false, '0': false });
  refuses(boolean(), '', '2', 'maybe');
  takes(choice('host', 'any'), { HOST: 'host', any: 'any' });
  refuses(choice('host', 'any'), '', 'hos', 'constructor');
  takes(wordOr(['auto'], integer({ min: 0 })), { auto: 'auto', '3': 3 });
  refuses(wordOr(['auto'], integer({ min: 0 })), 'never', '-1');
});

test('web kinds: forms that the web knows are taken, in their normal form', () => {
  takes(webUrl(), { 'HTTPS://Example.com': 'https://example.com/' });
  refuses(webUrl(), '', 'example.com', 'ftp://example.com/', 'javascript:alert(1)', 'http://');
  takes(host(), { 'WWW.Example.com': 'www.example.com', 'a.b:8080': 'a.b:8080' });
  refuses(host(), '', 'http://a.b', 'a b', 'a@b', 'a/b', ':80');
  takes(network(), {
    '10.0.0.0/8': '10.0.0.0/8',
    '192.0.2.1': '192.0.2.1',
    'fc00::/7': 'fc00::/7',
  });
  refuses(
    network(),
    '',
    '10.0.0.0/33',
    '300.1.1.1',
    'fc00::/129',
    'a.b',
    '1.2.3.4/8/8',
    '01.2.3.4',
  );
  takes(serverAddress(), { '192.0.2.53': '192.0.2.53', '[::1]:53': '[::1]:53', '::1': '::1' });
  refuses(serverAddress(), '', 'dns.example', '1.2.3.4:0', '1.2.3.4:99999', '[x]:53');
  takes(mediaType(), { 'Text/HTML': 'text/html', 'image/*': 'image/*' });
  refuses(mediaType(), '', 'html', '*/html', 'a/b/c', 'text/html; charset=x');
  takes(hostRate(), { 'A.example=5': { host: 'a.example', ratePerSecond: 5 } });
  refuses(hostRate(), '', 'a.example', '=5', 'a.example=', 'a.example=-1', 'a b=5');
});

test('regions: a name is short and plain, and a host may be a whole domain', () => {
  takes(regionTag(), { eu: 'eu', ' EU ': 'eu', 'us-east-1': 'us-east-1' });
  refuses(regionTag(), '', 'a b', 'e,u', '-eu', 'a'.repeat(33), 'ü');
  takes(hostRegion(), {
    'WWW.Example.com=EU': { host: 'www.example.com', region: 'eu' },
    '*.example.com = us-east-1': { host: 'example.com', region: 'us-east-1' },
    '.tr=eu': { host: 'tr', region: 'eu' },
    'localhost:8080=eu': { host: 'localhost:8080', region: 'eu' },
  });
  refuses(hostRegion(), '', 'eu', '=eu', 'a.example=', 'a.example=a b', 'a b=eu', '*.=eu');
});

test('identity kinds: product, token and contact keep to what servers can read', () => {
  takes(product(), { 'MyBot/1.0': 'MyBot/1.0' });
  refuses(product(), '', 'MyBot', 'My Bot/1', 'MyBot/1.0 (x)', 'MyBot/1\r\nX: y', '1Bot/1');
  takes(robotsToken(), { My_Bot: 'My_Bot' });
  refuses(robotsToken(), '', 'Bot2', 'My Bot', '*');
  takes(contact(), {
    'mailto:a@b.example': 'a@b.example',
    'https://b.example/x': 'https://b.example/x',
  });
  refuses(contact(), '', 'bob', 'a@b', 'a@b.c\r\nX: y', 'ftp://x.y/', 'a b@c.d');
});

test('header: a line is split, and those that the crawler owns are refused with the owner', () => {
  takes(header(), { 'X-Key: a: b': { name: 'x-key', value: 'a: b' } });
  refuses(header(), '', 'X-Key', ': v', 'X Key: v', 'X: a\r\nY: b', 'X: \u0000', 'Host: a');
  const owned = header().parse('User-Agent: me');
  assert.match('problem' in owned ? owned.problem : '', /--user-agent/);
  takes(cookie(), { 'a=b': 'a=b', 'a=': 'a=' });
  refuses(cookie(), '', 'a', '=b', 'a=b; c=d', 'a=b\r\nc');
});

test('pattern: one that does not compile says why', () => {
  const broken = pattern().parse('(');
  assert.match(
    'problem' in broken ? broken.problem : '',
    /does not compile \(unterminated group\)/,
  );
});

test('pattern: a RegExp of a caller is taken without the flags that remember', () => {
  const parsed = parseJson(list(pattern(), '\n'), [/a/gi, 'b']);
  assert.deepEqual(parsed, { value: [/a/i, /b/] });
  assert.deepEqual(parseJson(list(pattern(), '\n'), /a/y), { value: [/a/] });
});

test('list: a text is split at its separator, patterns keep their commas', () => {
  takes(list(mediaType()), { 'a/b, c/d,': ['a/b', 'c/d'] });
  assert.deepEqual(list(pattern(), '\n').parse('a{1,2}\nb'), { value: [/a{1,2}/, /b/] });
  assert.deepEqual(list(mediaType()).parse('a/b,c'), {
    problem: 'holds an item that is not a media type',
  });
});

test('JSON values: the type must be the one of the kind', () => {
  const isRefused = (kind: Kind<unknown>, value: unknown): void =>
    assert.ok('problem' in parseJson(kind, value), JSON.stringify(value));
  isRefused(integer() as Kind<unknown>, '20');
  isRefused(integer() as Kind<unknown>, [20]);
  isRefused(integer() as Kind<unknown>, null);
  isRefused(boolean() as Kind<unknown>, 'true');
  isRefused(boolean() as Kind<unknown>, 1);
  isRefused(duration() as Kind<unknown>, 30);
  isRefused(choice('a') as Kind<unknown>, { a: 1 });
  isRefused(list(mediaType()) as Kind<unknown>, ['a/b', 3]);
  assert.deepEqual(parseJson(integer(), 20), { value: 20 });
  assert.deepEqual(parseJson(rate(), 'max'), { value: Infinity });
  assert.deepEqual(parseJson(list(mediaType()), 'a/b,c/d'), { value: ['a/b', 'c/d'] });
});

test('durations and sizes: what is written is read back', () => {
  const whole = fc.nat({ max: 10 ** 12 });
  fc.assert(
    fc.property(whole, (n) =>
      assert.deepEqual(duration().parse(duration().write(n)), { value: n }),
    ),
  );
  fc.assert(
    fc.property(whole, (n) => assert.deepEqual(size().parse(size().write(n)), { value: n })),
  );
});
