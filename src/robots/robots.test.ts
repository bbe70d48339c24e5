import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseRobots } from './robots.ts';
import { usageText } from './usage.ts';

const OURS = 'Mozilla/5.0 (compatible; Orbweaver/0.1; +https://orbweaver.example/)';
const allowed = (body: string, url: string, agent = 'foobot') =>
  parseRobots(body).isAllowed(agent, url).allowed;

// RFC 9309, 5.1
const SIMPLE = `User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
`;

test('RFC 9309, 5.1: the simple example answers for each of its agents', () => {
  const robots = parseRobots(SIMPLE);
  const may = (agent: string, path: string) =>
    robots.isAllowed(agent, `https://h.example${path}`).allowed;
  assert.equal(may('anybot', '/picture.gif'), false);
  assert.equal(may('anybot', '/picture.gif?x'), true);
  assert.equal(may('anybot', '/example/'), false);
  assert.equal(may('anybot', '/publications/'), true);
  assert.equal(may('foobot', '/'), false);
  assert.equal(may('foobot', '/example/page.html'), true);
  assert.equal(may('foobot', '/example/allowed.gif'), true);
  assert.equal(may('foobot', '/publications/'), false);
  for (const bot of ['barbot', 'bazbot']) {
    assert.equal(may(bot, '/example/page.html'), false);
    assert.equal(may(bot, '/picture.gif'), true);
  }
  assert.equal(may('quxbot', '/example/page.html'), true);
});

test('RFC 9309, 5.2: the longest match wins', () => {
  const body = 'User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif';
  assert.equal(allowed(body, 'https://h.example/example/page/disallow.gif'), true);
  assert.equal(allowed(body, 'https://h.example/example/page/disallowed.gif'), false);
});

test('RFC 9309, 2.2.1: groups that name one token are one group', () => {
  const body = `user-agent: ExampleBot
disallow: /foo
disallow: /bar

user-agent: ExampleBot
disallow: /baz`;
  for (const path of ['/foo', '/bar', '/baz']) {
    assert.equal(allowed(body, `https://h.example${path}`, 'examplebot'), false);
  }
  assert.equal(allowed(body, 'https://h.example/qux', 'examplebot'), true);
});

test('RFC 9309, 2.2.2: the table of paths and encodings', () => {
  const table: [rule: string, path: string, matches: boolean][] = [
    ['/foo/bar?baz=quz', '/foo/bar?baz=quz', true],
    ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https://foo.bar', true],
    ['/foo/bar?baz=https%3A%2F%2Ffoo.bar', '/foo/bar?baz=https%3a%2f%2ffoo.bar', true],
    ['/foo/bar/\u{e3}\u{83}\u{84}', '/foo/bar/%C3%A3%C2%83%C2%84', true],
    ['/foo/bar/ツ', '/foo/bar/%E3%83%84', true],
    ['/foo/bar/%E3%83%84', '/foo/bar/ツ', true],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz', true],
    ['/foo%2Fbar', '/foo/bar', false],
  ];
  for (const [rule, path, matches] of table) {
    const body = `User-agent: *\nDisallow: ${rule}`;
    assert.equal(allowed(body, `https://h.example${path}`), !matches, `${rule} ${path}`);
  }
});

test('RFC 9309, 2.2.3: `*`, `$` and their literal forms', () => {
  const table: [rule: string, path: string, matches: boolean][] = [
    ['/this/*/exactly', '/this/is/exactly', true],
    ['/this/path/exactly$', '/this/path/exactly', true],
    ['/this/path/exactly$', '/this/path/exactly?no', false],
    ['/path/file-with-a-%2A.html', '/path/file-with-a-*.html', true],
    ['/path/file-with-a-%2A.html', '/path/file-with-a-b.html', false],
    ['/path/foo-%24', '/path/foo-$', true],
    ['/path/foo-%24', '/path/foo-', false],
    ['/*.php$', '/a.php/b.php', true],
    ['/*a*a$', '/a', false],
    ['*', '/anything', true],
  ];
  for (const [rule, path, matches] of table) {
    const body = `User-agent: *\nDisallow: ${rule}`;
    assert.equal(allowed(body, `https://h.example${path}`), !matches, `${rule} ${path}`);
  }
});

test('equal lengths: Allow wins', () => {
  const body = 'User-agent: *\nDisallow: /page\nAllow: /page\nDisallow: /*ix\nAllow: /six';
  assert.equal(allowed(body, 'https://h.example/page'), true);
  assert.equal(allowed(body, 'https://h.example/six'), true);
});

test('robots.txt itself: allowed under any rule', () => {
  assert.equal(allowed('User-agent: *\nDisallow: /', 'https://h.example/robots.txt'), true);
  assert.equal(allowed('User-agent: *\nDisallow: /', 'https://h.example/robots.txt?x'), false);
});

test('verdict: names the line and the rule as written', () => {
  const robots = parseRobots('# hello\r\nUser-agent: *\r\n\r\nDisallow: /caf%c3%a9/é # no\r\n');
  assert.deepEqual(robots.isAllowed('x', 'https://h.example/café/é'), {
    allowed: false,
    line: 4,
    rule: 'Disallow: /caf%c3%a9/é',
  });
  assert.deepEqual(robots.isAllowed('x', 'https://h.example/tea'), { allowed: true });
});

test('agent: a whole User-Agent string finds the group of its product token', () => {
  const body = 'User-agent: orbweaver\nDisallow: /a\nCrawl-delay: 2.5\nUser-agent: *\nDisallow: /b';
  assert.equal(allowed(body, 'https://h.example/a', OURS), false);
  assert.equal(allowed(body, 'https://h.example/b', OURS), true);
  assert.equal(allowed(body, 'https://h.example/b', 'Orb'), false);
  assert.equal(parseRobots(body).crawlDelayMs(OURS), 2_500);
  assert.equal(parseRobots(body).crawlDelayMs('other'), undefined);
});

test('agent: two askers in turn get their own answers', () => {
  const robots = parseRobots('User-agent: a\nDisallow: /x\nUser-agent: b\nDisallow: /y');
  for (let round = 0; round < 2; round += 1) {
    assert.equal(robots.isAllowed('a', '/x').allowed, false);
    assert.equal(robots.isAllowed('b', '/x').allowed, true);
    assert.equal(robots.isAllowed('c', '/x').allowed, true);
  }
});

test('crawl-delay: the longest of an agent counts, and no other text does', () => {
  assert.equal(
    parseRobots('User-agent: *\nCrawl-delay: 1\nCrawl-delay: 3').crawlDelayMs('x'),
    3_000,
  );
  for (const text of ['', '-1', '1e3', '1.2.1', '10s', 'Infinity']) {
    assert.equal(parseRobots(`User-agent: *\nCrawl-delay: ${text}`).crawlDelayMs('x'), undefined);
  }
  const endless = parseRobots(`User-agent: *\nCrawl-delay: ${'9'.repeat(400)}`).crawlDelayMs('x');
  assert.equal(endless, Number.MAX_SAFE_INTEGER);
});

test('preferences: kept per agent, and do not touch the rules', () => {
  const robots = parseRobots(
    'Content-Usage: train-ai=n\nUser-agent: a\nContent-Signal: search=yes, ai-train=no\n' +
      'User-agent: b\nDisallow: /x',
  );
  assert.equal(usageText(robots.usage('a', '/')), 'ai-train=no, search=yes');
  assert.equal(usageText(robots.usage('b', '/')), 'ai-train=no');
  assert.equal(robots.isAllowed('a', '/x').allowed, false);
});

test('sitemaps: from anywhere in the file, once each', () => {
  const body = 'Sitemap: /a.xml\nUser-agent: x\nsitemap: https://é.example/b # c\nSITEMAP:/a.xml';
  assert.deepEqual(parseRobots(body).sitemaps, ['/a.xml', 'https://é.example/b']);
});

test('line ends: CR, LF and CRLF are one file', () => {
  const lines = ['User-agent: x', 'Disallow: /a', '', 'Allow: /a/b'];
  for (const end of ['\r', '\n', '\r\n']) {
    const robots = parseRobots(lines.join(end));
    assert.equal(robots.isAllowed('x', '/a/b').line, 4);
    assert.equal(robots.isAllowed('x', '/a/c').line, 2);
  }
});

test('500 KiB: rules within are obeyed, a line that is cut is not', () => {
  const head = 'User-agent: *\nDisallow: /in\n';
  const fill = '#'.repeat(500 * 1024 - head.length - 12);
  const robots = parseRobots(Buffer.from(`${head}${fill}\nDisallow: /out\nDisallow: /late`));
  assert.equal(robots.isAllowed('x', '/in').allowed, false);
  assert.equal(robots.isAllowed('x', '/o').allowed, true);
  assert.equal(robots.isAllowed('x', '/out').allowed, true);
  assert.equal(robots.isAllowed('x', '/late').allowed, true);
});

test('encodings: byte order marks of UTF-8 and UTF-16 are read over', () => {
  const text = 'User-agent: *\nDisallow: /é';
  const le = Buffer.from(`\ufeff${text}`, 'utf16le');
  for (const body of [Buffer.from(`\ufeff${text}`), le, Buffer.from(le).swap16()]) {
    assert.equal(parseRobots(body).isAllowed('x', '/%C3%A9').allowed, false);
  }
});

test('hostile: wildcards made to be slow are refused in bounded time', () => {
  const body = `User-agent: *\n${'Allow: /*a*a*a*b\n'.repeat(30_000)}`;
  const robots = parseRobots(body);
  const verdict = robots.isAllowed('x', `/${'a'.repeat(2_000)}`);
  assert.deepEqual([verdict.allowed, verdict.line], [false, undefined]);
  const url = `/${'a'.repeat(2_000)}`;
  const started = performance.now();
  for (let turn = 0; turn < 5; turn += 1) robots.isAllowed('x', url);
  assert.ok(performance.now() - started < 5_000);
});

/** The RFC's words, slowly: every rule tried, the longest kept. */
function slowly(rules: { allow: boolean; pattern: string }[], path: string): boolean {
  let best: { allow: boolean; pattern: string } | undefined;
  for (const rule of rules) {
    const end = rule.pattern.endsWith('$');
    const body = end ? rule.pattern.slice(0, -1) : rule.pattern;
    const source = body
      .split('*')
      .map((part) => part.replace(/[^a-z/]/g, '\\$&'))
      .join('.*');
    if (!new RegExp(`^${source}${end ? '$' : ''}`).test(path)) continue;
    const longer = rule.pattern.length - (best?.pattern.length ?? -1);
    if (longer > 0 || (longer === 0 && rule.allow)) best = rule;
  }
  return best?.allow ?? true;
}

const piece = fc.constantFrom('a', 'b', '/', 'ab', '*', '**');
const pattern = fc
  .tuple(fc.array(piece, { maxLength: 6 }), fc.constantFrom('', '', '$'))
  .map(([pieces, end]) => `/${pieces.join('')}${end}`);
const path = fc
  .array(fc.constantFrom('a', 'b', '/'), { maxLength: 10 })
  .map((p) => `/${p.join('')}`);

test('property: compiled rules answer as the plain reading of the RFC does', () => {
  const rules = fc.array(fc.record({ allow: fc.boolean(), pattern }), { maxLength: 12 });
  fc.assert(
    fc.property(rules, path, (list, asked) => {
      const lines = list.map((rule) => `${rule.allow ? 'Allow' : 'Disallow'}: ${rule.pattern}`);
      const robots = parseRobots(['User-agent: *', ...lines].join('\n'));
      assert.equal(robots.isAllowed('x', `https://h.example${asked}`).allowed, slowly(list, asked));
    }),
    { numRuns: 2_000 },
  );
});

test('property: any bytes and any question are survived', () => {
  const words = fc.constantFrom(
    'User-agent:',
    'Disallow:',
    '*',
    '$',
    '%',
    '\r',
    '\n',
    ' ',
    'é',
    '#',
  );
  const text = fc.array(fc.oneof(words, fc.string({ unit: 'binary' })), { maxLength: 40 });
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    text.map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(body, fc.string(), fc.string({ unit: 'binary' }), (bytes, agent, url) => {
      const robots = parseRobots(bytes);
      assert.equal(typeof robots.isAllowed(agent, url).allowed, 'boolean');
      robots.crawlDelayMs(agent);
      assert.ok(robots.usage(agent, url).size >= 0);
    }),
  );
});
