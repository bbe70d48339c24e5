import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../base/random.ts';
import { scanHtml, VOICE } from '../page/index.ts';
import { hamming, NO_PRINT, printOf, simhash, type TextPrint } from './simhash.ts';

const MIB = 1 << 20;

/** The fingerprints of a page as the crawl takes them. */
function printOfHtml(html: string): TextPrint {
  const body = { bytes: Buffer.from(html), ascii: false };
  return printOf(scanHtml(body, 'https://example.com/', { words: true }).words);
}

const VOCABULARY = [
  ...'the of and a to in is it you that he was for on are with as his they be at one have'.split(
    ' ',
  ),
  ...'this from or had by hot word but what some we can out other were all there when up'.split(
    ' ',
  ),
  ...'river mountain garden engine letter winter number people water sentence country'.split(' '),
  ...'answer student picture machine history question evening morning language music'.split(' '),
];

/** A text with a few words in every line, many seldom, as languages have it. */
function textOf(name: string, words: number): string[] {
  const random = seededRandom(name);
  return Array.from({ length: words }, () => {
    if (random.next() < 0.4) {
      return Array.from({ length: 3 + Math.floor(random.next() * 7) }, () =>
        String.fromCharCode(97 + Math.floor(26 * random.next() ** 2)),
      ).join('');
    }
    return VOCABULARY[Math.floor(VOCABULARY.length * random.next() ** 2)] as string;
  });
}

function apart(a: TextPrint, b: TextPrint): number {
  return hamming(a.simhash, b.simhash);
}

function took(work: () => void): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

test('hamming: counts the bits that differ, in 64, the same both ways', () => {
  assert.equal(hamming(0xdeadbeefdeadbeefn, 0x2152411021524110n), 64);
  assert.equal(hamming(0n, 0n), 0);
  const any = fc.bigInt(0n, 2n ** 64n - 1n);
  fc.assert(
    fc.property(any, any, fc.nat(63), (a, b, at) => {
      assert.equal(hamming(a, a ^ (1n << BigInt(at))), 1);
      assert.equal(hamming(a, b), hamming(b, a));
    }),
  );
});

test('simhash: the same words give the same bits, whatever their case, spacing and points', () => {
  assert.equal(simhash('Small rabbit was  very sad'), simhash('small RABBIT was very\nsad.'));
  assert.equal(simhash('ГОРОД у моря'), simhash('город, у моря!'));
  assert.equal(simhash('don’t'), simhash("don't"));
  assert.notEqual(simhash('small rabbit'), simhash('small rabid'));
});

test('simhash: fast and long way: a word is the same with a letter beyond ASCII beside it', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9]{1,30}$/), (word) => {
      assert.equal(simhash(`${word}\u00a0`), simhash(`${word} some`.slice(0, word.length)));
      assert.equal(
        simhash(`x ${word} y ${'z '.repeat(9)}`),
        simhash(`x ${word} y ${'z–'.repeat(9)}`),
      );
    }),
  );
});

test('simhash: a word of a long text is the same wherever it stands, to the last', () => {
  const word = fc.oneof(fc.stringMatching(/^[A-Za-z0-9]{1,20}$/), fc.constantFrom('Übermut', 'né'));
  fc.assert(
    fc.property(fc.array(word, { minLength: 2, maxLength: 40 }), fc.nat(), (words, turn) => {
      const long = Array.from({ length: 400 }, () => words).flat();
      const at = turn % words.length;
      const turned = [...words.slice(at), ...words.slice(0, at)];
      const again = Array.from({ length: 400 }, () => turned).flat();
      assert.equal(simhash(again.join(' ')), simhash(long.join(' ')));
    }),
    { numRuns: 50 },
  );
});

test('simhash: no words: no fingerprint, whatever else is there', () => {
  for (const text of ['', ' ', '…!?', '— – “” 😀', '\u00a0']) assert.equal(simhash(text), 0n, text);
  assert.deepEqual(printOfHtml('<p>… — …</p><nav>Home and away</nav>'), NO_PRINT);
});

test('simhash: one word, one letter, one digit: a fingerprint, and one word', () => {
  for (const text of ['word', 'a', '7', 'ж', '字', 'ﬁ']) {
    const print = printOf({ bytes: Buffer.from(text), marks: [] });
    assert.notEqual(print.simhash, 0n, text);
    assert.equal(print.words, 1, text);
  }
});

test('simhash: any string: words counted as Unicode has them, no exception', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const print = printOf({ bytes: Buffer.from(text), marks: [] });
      const hasWord = /[\p{L}\p{N}\p{M}]/u.test(Buffer.from(text).toString());
      assert.equal(print.words > 0, hasWord);
      assert.equal(print.simhash !== 0n, hasWord);
    }),
    { numRuns: 500 },
  );
});

test('simhash: bytes that are no UTF-8: an answer all the same', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      assert.ok(printOf({ bytes: Buffer.from(bytes), marks: [] }).words <= bytes.length);
    }),
  );
});

test('simhash: 10 MB of one word, of one letter, of CJK, of words: bounded time', () => {
  const text = (unit: string) => Buffer.from(unit.repeat(Math.ceil((10 * MIB) / unit.length)));
  for (const unit of ['word ', 'a', '字典', 'é', 'some 字 words, é']) {
    const bytes = text(unit);
    const ms = took(() => assert.ok(printOf({ bytes, marks: [] }).words > 0));
    assert.ok(ms < 5_000, `${unit}: ${ms} ms`);
  }
});

test('simhash: a fortieth of the words changed: within three bits; another text: far away', () => {
  let near = 0;
  for (let nth = 0; nth < 40; nth++) {
    const words = textOf(`page ${nth}`, 600);
    const others = textOf(`others ${nth}`, 600);
    const edited = words.map((word, i) => (i % 40 === nth ? (others[i] as string) : word));
    const [page, copy] = [words, edited].map((w) => printOfHtml(`<p>${w.join(' ')}</p>`));
    const other = printOfHtml(`<p>${textOf(`other ${nth}`, 600).join(' ')}</p>`);
    if (apart(page as TextPrint, copy as TextPrint) <= 3) near++;
    assert.ok(apart(page as TextPrint, other) > 3);
    assert.ok(hamming((page as TextPrint).pairs, (copy as TextPrint).pairs) <= 8);
    assert.ok(hamming((page as TextPrint).pairs, other.pairs) > 12);
  }
  assert.ok(near >= 34, `${near} of 40`);
});

test('simhash: words that all begin alike do not decide alone', () => {
  const page = (seed: string) => {
    const random = seededRandom(seed);
    return Array.from({ length: 300 }, () => `word${Math.floor(1_000 * random.next())}`).join(' ');
  };
  for (let nth = 0; nth < 20; nth++) {
    assert.ok(hamming(simhash(page(`a${nth}`)), simhash(page(`b${nth}`))) > 3);
  }
});

test('simhash: all-CJK text: near when a little of it changes, far from another', () => {
  const page = (seed: string) => {
    const random = seededRandom(seed);
    const sign = () => String.fromCodePoint(0x4e00 + Math.floor(3_000 * random.next() ** 3));
    return Array.from({ length: 1_200 }, sign);
  };
  const signs = page('one');
  const others = page('others');
  const edited = signs.map((sign, i) => (i % 60 === 0 ? (others[i] as string) : sign));
  assert.ok(hamming(simhash(signs.join('')), simhash(edited.join(''))) <= 3);
  assert.ok(hamming(simhash(signs.join('')), simhash(page('two').join(''))) > 3);
  assert.equal(printOf({ bytes: Buffer.from(signs.join('')), marks: [] }).words, 1_200);
});

const NAV = '<nav><ul><li><a href="/">Home</a><li><a href="/about">About us</a></ul></nav>';
const FOOTER = '<footer><p>All rights reserved, imprint, contact, privacy, terms</p></footer>';
const frame = (text: string) => `<title>Site</title>${NAV}<main><p>${text}</p></main>${FOOTER}`;

test('simhash: the frame does not count: with it and without, in another one, the same', () => {
  const text = textOf('framed', 300).join(' ');
  const plain = printOfHtml(`<p>${text}</p>`);
  assert.equal(plain.simhash, simhash(text));
  assert.deepEqual(printOfHtml(frame(text)), plain);
  const other = `<div>Advertisement: buy more</div><article><h1></h1>${text}</article>`;
  assert.deepEqual(printOfHtml(`<aside>Read also</aside>${other}`), plain);
});

test('simhash: one template, other texts: far apart, however large the template', () => {
  const [a, b] = ['one', 'two'].map((name) =>
    printOfHtml(frame(textOf(name, 100).join(' ')) + NAV.repeat(50)),
  ) as [TextPrint, TextPrint];
  assert.ok(apart(a, b) > 3);
});

test('simhash: a list of titles that are links: their words count, labels do not', () => {
  const list = (titles: readonly string[]) =>
    printOfHtml(titles.map((title) => `<li><a href="/">${title}</a> by us, read on`).join(''));
  const titles = (seed: string) =>
    Array.from({ length: 30 }, (_, i) => textOf(`${seed}${i}`, 6).join(' '));
  assert.ok(apart(list(titles('page 1')), list(titles('page 2'))) > 3);
  const label = '<a href="/">next page</a>';
  assert.deepEqual(printOfHtml(`<p>so it is</p>${label}`), printOfHtml('<p>so it is</p>'));
});

test('simhash: marks beyond the text, and more marks than are kept: no harm', () => {
  const bytes = Buffer.from('some words of a page');
  const marks = [(4 << 3) | VOICE.link, (999 << 3) | VOICE.own];
  assert.equal(printOf({ bytes, marks }).words, 5);
  const many = `<p>${'<a href="/">a</a> b '.repeat(50_000)}</p>`;
  assert.ok(printOfHtml(many).words >= 30_000);
});
