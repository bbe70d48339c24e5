import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodedPath, Signer } from './sign.ts';

const BY = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const MIDNIGHT = Date.UTC(2013, 4, 24);
const REQUEST = {
  ...{ method: 'PUT', path: encodedPath('/test$file.text') },
  headers: {
    ...{ date: 'Fri, 24 May 2013 00:00:00 GMT', host: 'examplebucket.s3.amazonaws.com' },
    'x-amz-storage-class': 'REDUCED_REDUNDANCY',
  },
  body: Buffer.from('Welcome to Amazon S3.'),
};

function signatureOf(headers: Record<string, string>): string | undefined {
  return /Signature=(\w+)$/.exec(headers.authorization ?? '')?.[1];
}

describe('signed writes', () => {
  test('the PUT of Amazon’s own documentation: its signature', () => {
    const headers = new Signer('us-east-1').signed(REQUEST, BY, MIDNIGHT);
    assert.equal(
      signatureOf(headers),
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    );
  });

  test('a token for a while: sent, and signed', () => {
    const headers = new Signer('us-east-1').signed(REQUEST, { ...BY, sessionToken: 't' }, MIDNIGHT);
    assert.equal(headers['x-amz-security-token'], 't');
    assert.match(headers.authorization ?? '', /SignedHeaders=[^,]*;x-amz-security-token/);
  });

  test('the next day, or another secret: another key, though one is kept', () => {
    const signer = new Signer('us-east-1');
    const other = { ...BY, secretAccessKey: 'other' };
    const days = [MIDNIGHT, MIDNIGHT + 86_400_000].map((at) => signer.signed(REQUEST, BY, at));
    const all = [
      ...days,
      signer.signed(REQUEST, other, MIDNIGHT),
      signer.signed(REQUEST, BY, MIDNIGHT),
    ];
    const [first, second, third, again] = all.map(signatureOf);
    assert.equal(new Set([first, second, third]).size, 3);
    assert.equal(again, first);
  });

  test('a path: each part encoded once, slashes kept', () => {
    assert.equal(encodedPath("crawl/a b/(c)'!*+~é"), 'crawl/a%20b/%28c%29%27%21%2A%2B~%C3%A9');
  });
});
