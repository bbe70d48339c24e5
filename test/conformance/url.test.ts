/**
 * canonicalize against other projects' cases (../shared/conformance/url, SOURCE.md there).
 *
 * Sources spell canonical forms differently, so a case holds when both of its sides have one
 * canonical form; forms must be fixed points, and cases that differ must stay apart. Each suite
 * of the demanded tier has to reach 97%, and every miss must be in EXPLAINED with its reason: a miss without a
 * reason fails, and so does a reason without a miss.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { canonicalizeByParser } from '../../src/url/canonical.ts';
import { canonicalize, hostnameOf, linkResolver, pathOf } from '../../src/url/index.ts';

const FOLDER = new URL('../../../shared/conformance/url/', import.meta.url);
const missing = existsSync(FOLDER) ? false : 'no ../shared/conformance/url beside the project';
const skip = process.env.CI === 'true' ? false : missing;
const SHARE_MIN = 0.97;

/** Known misses by suite and case. */
const EXPLAINED: Record<string, Record<string, string>> = {
  policy: {
    N0241: 'escapes the query in latin-1; canonicalize knows no page encoding and uses UTF-8',
    N0242: 'escapes the query in windows-1251; as above',
    N0511: 'drops a final slash, which names another resource',
    N0525: 'drops a final slash, as above',
    N0644: 'drops a final slash, as above',
    N0521: 'sorts repeated names by value; U1 keeps their order',
    N0699: 'sorts repeated names by value, as above',
    N0647: 'ignores letter case in parameter names, which servers do not',
    N0754: 'decodes %2525 twice; %25 is a literal percent sign and stays one',
  },
  'wpt-IdnaTestV2.json': {
    '': 'an empty name is right for ToASCII alone; in a URL the host is then the next segment',
  },
  'safe-url-string': {
    'http://[v6a.ip]': 'a bracketed host that is no IPv6 address is a failure in WHATWG parsing',
  },
};

function read<T>(file: string): T[] {
  assert.equal(missing, false, String(missing));
  const rows = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as (T | string)[];
  return rows.filter((row): row is T => typeof row === 'object');
}

interface Outcome {
  readonly name: string;
  readonly holds: boolean;
  readonly saw: string;
}

function demand(suite: string, outcomes: readonly Outcome[], shareMin = SHARE_MIN): void {
  const explained = EXPLAINED[suite] ?? {};
  const misses = outcomes.filter((outcome) => !outcome.holds);
  const unexplained = misses.filter((miss) => !(miss.name in explained));
  const stale = Object.keys(explained).filter((name) => !misses.some((miss) => miss.name === name));
  assert.deepEqual(
    unexplained.map((miss) => `${miss.name}: ${miss.saw}`),
    [],
    `${suite}: misses without an explanation`,
  );
  assert.deepEqual(stale, [], `${suite}: explanations without a miss`);
  assert.ok(outcomes.length > 0, `${suite}: no cases`);
  const share = 1 - misses.length / outcomes.length;
  assert.ok(share >= shareMin, `${suite}: ${misses.length} of ${outcomes.length} missed`);
}

/** Both sides have one canonical form, which is a fixed point. */
function same(name: string, raw: string | undefined, expected: string | undefined): Outcome {
  const fixed = raw === undefined || canonicalize(raw) === raw;
  return { name, holds: raw === expected && fixed, saw: `${raw} for ${expected}` };
}

interface NormaliseCase {
  readonly id: string;
  readonly source: string;
  readonly raw: string;
  readonly expected: string | null;
  readonly kinds: readonly string[];
  readonly tier: 'must' | 'policy';
}

const canonicalOrNone = (url: string | null) => (url === null ? undefined : canonicalize(url));

test('normalise must cases: both spellings have one canonical form', { skip }, () => {
  const cases = read<NormaliseCase>('normalise.json').filter(({ tier }) => tier === 'must');
  demand(
    'normalise',
    cases.map(({ id, raw, expected }) => same(id, canonicalize(raw), canonicalOrNone(expected))),
  );
});

/** Equal by the steps that U1 names, computed without any of our code. */
function plainKey(url: string): string | undefined {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return undefined;
  const { protocol, host, pathname, search } = new URL(url);
  const unreserved = (text: string) =>
    text.replace(/%[0-9a-f]{2}/gi, (triple) => {
      const character = String.fromCharCode(Number.parseInt(triple.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : triple.toUpperCase();
    });
  const params = unreserved(search.slice(1)).split('&').filter(Boolean).sort();
  return `${protocol}//${host}${unreserved(pathname)}?${params.join('&')}`;
}

test('normalise must cases: what differs after the steps of U1 stays apart', { skip }, () => {
  const cases = read<NormaliseCase>('normalise.json').filter(({ tier }) => tier === 'must');
  const keys = new Map<string, string>();
  const merged: string[] = [];
  for (const { id, expected } of cases) {
    const url = canonicalOrNone(expected);
    const key = expected === null ? undefined : plainKey(expected);
    if (url === undefined || key === undefined) continue;
    const before = keys.get(url) ?? key;
    if (before !== key) merged.push(`${id}: ${key} with ${before}`);
    keys.set(url, before);
  }
  assert.deepEqual(merged, []);
});

/** Kinds of normalisation that U1 claims. */
const CLAIMED = new Set(
  (
    'query-sort tracking-params session-ids query-empty userinfo fragment unchanged empty-path ' +
    'dot-segments host-case scheme-case default-port percent-case percent-decode-unreserved ' +
    'percent-encode-unsafe whitespace-trim idn'
  ).split(' '),
);

test('normalise policy cases of the kinds that U1 claims: one canonical form', { skip }, () => {
  const cases = read<NormaliseCase>('normalise.json').filter(
    ({ tier, kinds }) => tier === 'policy' && kinds.every((kind) => CLAIMED.has(kind)),
  );
  demand(
    'policy',
    cases.map(({ id, raw, expected }) => same(id, canonicalize(raw), canonicalOrNone(expected))),
    0.8,
  );
});

test('path-dots: every path resolves as listed', { skip }, () => {
  const cases = read<{ path: string; resolved: string }>('path-dots.json');
  demand(
    'path-dots',
    cases.map(({ path, resolved }) => {
      const url = canonicalize(`http://h.example${path}`);
      const below = linkResolver('http://h.example/a/b/c')(`http://h.example${path}`);
      const saw = url === undefined ? 'nothing' : pathOf(url);
      return { name: path, holds: saw === resolved && below === url, saw };
    }),
  );
});

test('resolve: a reference against its base', { skip }, () => {
  const cases = read<{ spec: string; base: string; expected: string }>('resolve.json');
  demand(
    'resolve',
    cases.map(({ spec, base, expected }) =>
      same(`${spec} at ${base}`, canonicalize(spec, base), canonicalize(expected)),
    ),
  );
});

interface WptCase {
  readonly input: string;
  readonly base?: string | null;
  readonly href?: string;
  readonly failure?: boolean;
}

test('wpt urltestdata: http(s) results agree, failures and others give nothing', { skip }, () => {
  demand(
    'wpt',
    read<WptCase>('wpt-urltestdata.json').map(({ input, base, href, failure }) =>
      same(
        `${input} at ${base}`,
        canonicalize(input, base ?? undefined),
        failure ? undefined : canonicalOrNone(href ?? null),
      ),
    ),
  );
});

for (const file of ['wpt-toascii.json', 'wpt-IdnaTestV2.json']) {
  test(`${file}: host names become punycode or nothing`, { skip }, () => {
    const cases = read<{ input: string; output: string | null }>(file);
    demand(
      file,
      cases.map(({ input, output }) => {
        const url = canonicalize(`https://${input}/x`);
        const saw = url === undefined ? null : hostnameOf(url);
        return { name: input, holds: saw === output, saw: `${saw} for ${output}` };
      }),
    );
  });
}

test('wpt percent-encoding: a query is escaped as UTF-8', { skip }, () => {
  const cases = read<{ input: string; output: { 'utf-8': string } }>('wpt-percent-encoding.json');
  demand(
    'percent-encoding',
    cases.map(({ input, output }) =>
      same(
        input,
        canonicalize(`http://h.example/?${input}`),
        canonicalize(`http://h.example/?${output['utf-8']}`),
      ),
    ),
  );
});

test('safe-url-string: raw and safe spelling have one canonical form', { skip }, () => {
  const cases = read<{ raw: string; expected: string }>('safe-url-string.json');
  demand(
    'safe-url-string',
    cases.map(({ raw, expected }) => same(raw, canonicalize(raw), canonicalize(expected))),
  );
});

test('the quick ways give what the parser gives, for every text against many bases', {
  skip,
}, () => {
  const texts = new Set<string>();
  for (const { input } of read<WptCase>('wpt-urltestdata.json')) texts.add(input);
  for (const { raw } of read<NormaliseCase>('normalise.json')) texts.add(raw);
  for (const { path } of read<{ path: string }>('path-dots.json')) {
    texts.add(path).add(path.slice(1)).add(`.${path}`).add(`http://h.example${path}`);
  }
  const bases = [
    ...new Set(read<WptCase>('wpt-urltestdata.json').map(({ base }) => base ?? '')),
    'https://www.h.example/a/b/(S(4hqa0555fwsecu455xqckv45))/c;jsessionid=1/d.html?z=1&a=2#f',
    'http://u:p@127.1:80/%7ea/%2fb//c/',
  ];
  for (const options of [{}, { stripWww: true }]) {
    for (const base of bases) {
      const resolve = linkResolver(base, options);
      for (const text of texts) {
        const slow = canonicalizeByParser(text, base, options);
        assert.equal(resolve(text), slow, `${JSON.stringify(text)} at ${base}`);
        assert.equal(canonicalize(text, base, options), slow);
      }
    }
  }
});
