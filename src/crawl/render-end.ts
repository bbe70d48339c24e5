/**
 * The end of a page that waited for a browser: what was rendered is read as any page is, and
 * settled with its links; the body as it was sent is kept beside it, under its own key (J1, C1).
 * What could not be rendered is settled as it was sent, and says why.
 */
import * as crypto from 'node:crypto';
import type { Digest } from '../content/index.ts';
import { sniffCharset } from '../page/index.ts';
import type { Rendered, RenderOutcome } from '../ports/renderer.ts';
import { FLAGS, withRendering } from '../record/index.ts';
import { originOf } from '../url/index.ts';
import type { Walk } from './context.ts';
import type { Deferred } from './render.ts';
import { endVisit } from './visit.ts';

export async function endRender(page: Deferred, made: RenderOutcome, walk: Walk): Promise<void> {
  if (made.kind === 'failed') {
    const reason = `it shows little without its scripts, and was not rendered: ${made.detail}`;
    return endVisit({ ...page, rendering: { flags: FLAGS.script_only, reason, bodies: [] } }, walk);
  }
  const picture = made.screenshot && { hash: sha256(made.screenshot), bytes: made.screenshot };
  const digest = await digestOf(page, made, walk);
  const { contentHash: hash, body: bytes } = page.digest;
  const trace = withRendering(digest.trace, page.outcome.headers, {
    sent: hex(hash),
    ...(picture && { screenshot: hex(picture.hash) }),
    ...{ requests: made.requests, ms: Math.round(made.ms) },
  });
  const sent = { ...page.sent, body: page.sent.body ?? bytes };
  const bodies = [{ hash, bytes }, ...(picture ? [picture] : [])];
  const reason = made.isCut ? 'its scripts were still at work when it was taken as it stood' : '';
  const rendering = { flags: FLAGS.rendered, reason, bodies };
  return endVisit({ ...page, digest: { ...digest, trace }, sent, rendering }, walk);
}

/** The same reading as of any page, with the same limits. */
function digestOf(page: Deferred, made: Rendered, walk: Walk): Promise<Digest> {
  const { url } = page.lease;
  const { 'content-encoding': _, ...headers } = page.outcome.headers;
  const sentAs = sniffCharset(page.digest.body, headers['content-type']);
  return walk.ports.pool.digest({
    // A page may give itself another address, but not that of another site.
    url: isOfSite(made.base, url) ? made.base : url,
    kind: 'page',
    body: Buffer.from(made.html),
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
    decodedBytesMax: walk.rules.decodedBytesMax,
    agent: walk.frontier.policy.agent,
    queryCharset: sentAs,
    markdown: walk.rules.markdown,
  });
}

function isOfSite(base: string, url: string): boolean {
  return URL.canParse(base) && /^https?:/.test(base) && new URL(base).origin === originOf(url);
}

function sha256(bytes: Uint8Array): Uint8Array {
  return crypto.createHash('sha256').update(bytes).digest();
}

function hex(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex');
}
