/** The settings of signatures (P8): off by default, complete or refused, and never a secret. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefusal, resolveSettings, type Sources } from './resolve.ts';

const AGENT = 'https://bot.example.com';

function refusal(argv: readonly string[], more: Sources = {}): string {
  const result = resolveSettings({ argv, ...more });
  assert.ok(isRefusal(result), 'it was taken');
  return result.mistakes.map(({ code, message, hint }) => `${code} ${message} ${hint}`).join('\n');
}

function agentOf(argv: readonly string[]) {
  const result = resolveSettings({ argv });
  assert.ok(!isRefusal(result), JSON.stringify(result));
  return result.settings.agent;
}

test('signing: off until both a key and a place for its directory are given', () => {
  const { signKey, signatureAgent, signatureForm } = agentOf([]);
  assert.deepEqual([signKey, signatureAgent], [undefined, undefined]);
  assert.equal(signatureForm, 'dictionary');
  const given = agentOf(['--sign-key', 'k.json', '--signature-agent', `${AGENT}/`]);
  assert.deepEqual([given.signKey, given.signatureAgent], ['k.json', AGENT]);
});

test('signing: a key without a directory, or the other way round, is refused by its place', () => {
  assert.match(
    refusal(['--sign-key', 'k.json']),
    /^E_USAGE --sign-key k\.json .*Add --signature-agent/,
  );
  assert.match(refusal(['--signature-agent', AGENT]), /^E_USAGE .*Add --sign-key FILE/);
  const env = { ORB_AGENT_SIGN_KEY: 'k.json' };
  assert.match(refusal([], { env }), /^E_CONFIG .*Add --signature-agent/);
});

test('signing: the place is an https origin, for nothing else can be found from it', () => {
  const wrong: [string, RegExp][] = [
    ['http://bot.example.com', /is not an https: URL/],
    ['bot.example.com', /is not a URL/],
    [`${AGENT}/keys.json`, /has more than a host/],
    [`${AGENT}/?x=1`, /has more than a host/],
    ['https://me:secret@bot.example.com', /has more than a host/],
  ];
  for (const [given, says] of wrong) {
    assert.match(refusal(['--sign-key', 'k', '--signature-agent', given]), says);
  }
});

test('signing: nobody writes a signature by hand', () => {
  for (const name of ['Signature', 'Signature-Input', 'signature-agent']) {
    assert.match(refusal(['--header', `${name}: x`]), /which is made with --sign-key/);
  }
});
