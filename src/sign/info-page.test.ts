/** The page about us: it says what a site's owner needs, and nothing in it can come alive. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { infoPage } from './info-page.ts';

const FACTS = {
  robotsToken: 'Orbweaver',
  userAgent: 'Mozilla/5.0 (compatible; Orbweaver/0.1.0; +https://bot.example/bot)',
  contact: 'crawler@example.com',
  directoryUrl: 'https://bot.example/.well-known/http-message-signatures-directory',
  keyids: ['poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U'],
};

test('info page: who we are, how to reach us, how to opt out, how to check a signature', () => {
  const page = infoPage(FACTS);
  assert.match(page, /^<!doctype html>\n<html lang="en">/);
  assert.ok(page.includes(FACTS.userAgent));
  assert.ok(page.includes('<a href="mailto:crawler@example.com">crawler@example.com</a>'));
  assert.ok(page.includes('User-agent: Orbweaver\nDisallow: /'));
  assert.ok(page.includes(`<a href="${FACTS.directoryUrl}" rel="nofollow">`));
  assert.ok(page.includes(FACTS.keyids[0] as string));
});

test('info page: a crawler that does not sign and has no contact claims neither', () => {
  const { robotsToken, userAgent } = FACTS;
  const page = infoPage({ robotsToken, userAgent });
  assert.doesNotMatch(page, /signed|directory|mailto|reached at/);
});

test('info page: a contact that is no address is text, not a link', () => {
  for (const contact of ['javascript:alert(1)', 'data:text/html,x', 'a@b?cc=c@d', 'me at home']) {
    assert.doesNotMatch(infoPage({ ...FACTS, contact, directoryUrl: undefined }), /<a /);
  }
});

/** Every tag that the page may hold; text from settings can add none. */
const OWN_TAGS = new Set(infoPage(FACTS).match(/<[^>]*>/g));

test('info page: whatever the settings say, no tag, attribute or control comes out of them', () => {
  const nasty = fc.oneof(
    fc.array(fc.integer({ max: 0x10ffff, min: 0 })).map((all) => String.fromCodePoint(...all)),
    fc.constantFrom(
      '"><script>alert(1)</script>',
      "' onclick='x",
      '\u001b[31m',
      '</title><b>',
      '&lt;',
    ),
  );
  fc.assert(
    fc.property(nasty, nasty, nasty, (robotsToken, userAgent, keyid) => {
      const page = infoPage({ ...FACTS, robotsToken, userAgent, keyids: [keyid] });
      for (const tag of page.match(/<[^>]*>/g) ?? []) assert.ok(OWN_TAGS.has(tag), tag);
      assert.doesNotMatch(page.replaceAll('\n', ''), /\p{Cc}/u);
    }),
    { numRuns: 40 },
  );
});

test('info page: an address with quotes in it cannot leave its attribute', () => {
  const contact = 'https://example.com/"onmouseover="alert(1)';
  const page = infoPage({ ...FACTS, contact });
  assert.ok(page.includes('href="https://example.com/&quot;onmouseover=&quot;alert(1)"'));
});
