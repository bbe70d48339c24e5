/**
 * The REST API of `orb serve` (A1, A3–A5): endpoints as data, and what every call goes through.
 *
 *   call ─▶ guard.ts ───────────────▶ input.ts ──────▶ endpoint ─▶ view ─▶ answer.ts
 *           rate-limit.ts  429        body, query      crawl.ts    page-view.ts
 *           host, origin   403        against its      pages.ts    host-view.ts
 *           tokens.ts      401, 403   schema   422     hosts.ts
 *                                                      events.ts (feed.ts)
 *                                                      comply.ts  identity.ts
 *                                                      host-more.ts  page-more.ts  surveys.ts
 *                                                      ring.ts (ring-view.ts)
 *                                                      frontier.ts, work.ts (parse.ts, render.ts)
 *
 *   endpoint.ts   what an endpoint is            problem.ts     errors, one table
 *   routes.ts     the list of all of them        openapi.ts     the same list as OpenAPI 3.1
 *   site.ts       the list as a web site         docs-page.ts   … and as a page to read
 *   idempotency.ts   one key, one answer         cursor.ts      where the next slice begins
 */
export { type Endpoint, endpoint, textEndpoint } from './endpoint.ts';
export { healthEndpoints } from './health.ts';
export { identityEndpoints } from './identity.ts';
export { problem } from './problem.ts';
export { type ApiParts, makeSite, siteOf } from './site.ts';
export { TokenBook } from './token-book.ts';
export { newTokenEntry, parseTokens, type TokenEntry, writeTokens } from './tokens.ts';
