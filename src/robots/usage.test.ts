import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseRobots } from './robots.ts';
import { combineUsage, headerUsage, parseUsage, refusedPurpose, usageText } from './usage.ts';

const usage = (text: string) => usageText(parseUsage('content-usage', text, ''));
const signal = (text: string) => usageText(parseUsage('content-signal', text, ''));

test('Content-Usage: y and n of the vocabulary, under the names of both vocabularies', () => {
  const cases = [
    ['train-ai=y, search=n', 'ai-train=yes, search=no'],
    ['train-ai=n', 'ai-train=no'],
    ['search=y;until=2030, train-ai=n;why="rights"', 'ai-train=no, search=yes'],
    ['ai-output=n', 'ai-output=no'],
    ['train-ai;allow=n, train-ai=y', 'ai-train=yes'],
    ['train-ai=y, train-ai, search=n, search="n"', ''],
    ['train-ai=maybe, search=1', ''],
    ['Train-AI=n', ''],
    ['train-ai=n,', ''],
    ['', ''],
  ] as const;
  for (const [text, want] of cases) assert.equal(usage(text), want, text);
});

test('Content-Signal: yes and no, each by itself, whatever stands around them', () => {
  const cases = [
    ['search=yes, ai-train=no', 'ai-train=no, search=yes'],
    ['search=yes,ai-train=no,ai-input=no', 'ai-input=no, ai-train=no, search=yes'],
    ['Search = YES ; AI-Train=No', 'ai-train=no, search=yes'],
    ['ai-train=no, nonsense, =, search=perhaps', 'ai-train=no'],
    ['search=yes, search=no', 'search=no'],
    ['', ''],
  ] as const;
  for (const [text, want] of cases) assert.equal(signal(text), want, text);
});

test('combining: no beats yes, yes beats nothing, and the one who said so is named', () => {
  const robots = parseUsage('content-signal', 'ai-train=yes, search=yes', 'robots.txt line 2');
  const header = headerUsage({ 'content-usage': 'train-ai=n' });
  const both = combineUsage(robots, header);
  assert.equal(usageText(both), 'ai-train=no, search=yes');
  assert.deepEqual(refusedPurpose(both, ['search', 'ai-train']), {
    purpose: 'ai-train',
    source: 'the content-usage header',
  });
  assert.equal(refusedPurpose(both, ['search', 'ai-input']), undefined);
  assert.equal(refusedPurpose(both, []), undefined);
});

test('headers: both kinds and noai add up', () => {
  const headers = { 'content-usage': 'search=y', 'content-signal': 'ai-input=no' };
  assert.equal(usageText(headerUsage(headers)), 'ai-input=no, search=yes');
  assert.equal(usageText(headerUsage(headers, true)), 'ai-input=no, ai-train=no, search=yes');
  assert.equal(headerUsage({}).size, 0);
});

/** The example of draft-ietf-aipref-attach. */
const EXAMPLE = `User-Agent: *
Allow: /
Disallow: /never/
Content-Usage: train-ai=n
Content-Usage: /ai-ok/ train-ai=y

User-Agent: ExampleBot
Allow: /
Content-Usage: train-ai=y
`;

test('robots.txt: the most specific path of the agent’s own group decides', () => {
  const robots = parseRobots(EXAMPLE);
  const said = (agent: string, url: string) => usageText(robots.usage(agent, url));
  assert.equal(said('orbweaver', 'https://a.example/test'), 'ai-train=no');
  assert.equal(said('orbweaver', 'https://a.example/ai-ok/test'), 'ai-train=yes');
  assert.equal(said('orbweaver', 'https://a.example/ai-ok'), 'ai-train=no');
  assert.equal(said('ExampleBot', 'https://a.example/test'), 'ai-train=yes');
});

test('robots.txt: rules of one path add up, wildcards count, the kinds add up', () => {
  const said = (lines: string, path: string) =>
    usageText(parseRobots(`User-agent: *\n${lines}`).usage('x', path));
  assert.equal(
    said('Content-Usage: /a train-ai=y\nContent-Usage: /a train-ai=n', '/a'),
    'ai-train=no',
  );
  assert.equal(
    said('Content-Usage: / train-ai=y\nContent-Usage: train-ai=n', '/a'),
    'ai-train=yes',
  );
  assert.equal(
    said('Content-Usage: /*.pdf$ search=n\nContent-Usage: search=y', '/b.pdf'),
    'search=no',
  );
  assert.equal(said('Content-Usage: /%7Ejoe\tsearch=n', '/~joe/x'), 'search=no');
  assert.equal(
    said('Content-Signal: /a ai-train=no\nContent-Usage: train-ai=y', '/a'),
    'ai-train=no',
  );
  assert.equal(said('Content-Usage: /a', '/a'), '');
  assert.equal(said('Disallow:\nContent-Signal: search=yes # all of it', '/a'), 'search=yes');
});

test('robots.txt: a preference names its line', () => {
  const robots = parseRobots(EXAMPLE);
  const source = robots.usage('x', '/test').get('ai-train')?.source;
  assert.equal(source, 'robots.txt line 4 (Content-Usage: train-ai=n)');
});

test('robots.txt: as many preferences as fit are read in passing', () => {
  const lines = Array.from(
    { length: 12_000 },
    (_, i) => `Content-Usage: /${i % 7}* use${i}=n, search=y`,
  );
  const robots = parseRobots(`User-agent: *\n${lines.join('\n')}`);
  const started = process.cpuUsage().user;
  assert.equal(robots.usage('x', '/3/a').get('search')?.allowed, true);
  assert.ok(robots.usage('x', '/3/a').size <= 17);
  assert.ok(process.cpuUsage().user - started < 2_000_000);
});

test('property: combining is in no order and takes no no back', () => {
  const said = fc
    .dictionary(fc.constantFrom('search', 'train-ai', 'ai-input', 'x'), fc.constantFrom('y', 'n'))
    .map((pairs) => Object.entries(pairs).map(([name, word]) => `${name}=${word}`))
    .map((pairs) => parseUsage('content-usage', pairs.join(', '), ''));
  fc.assert(
    fc.property(said, said, said, (a, b, c) => {
      const text = usageText(combineUsage(combineUsage(a, b), c));
      assert.equal(text, usageText(combineUsage(a, combineUsage(c, b))));
      assert.equal(usageText(combineUsage(a, a)), usageText(a));
      for (const [name, { allowed }] of a)
        if (!allowed) assert.match(text, new RegExp(`${name}=no`));
    }),
  );
});

test('property: any bytes in a header are survived', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      const found = headerUsage({ 'content-usage': a, 'content-signal': b });
      assert.match(usageText(found), /^(?:[a-z*][a-z0-9_.*-]*=(?:yes|no)(?:, |$))*$/);
    }),
  );
});
