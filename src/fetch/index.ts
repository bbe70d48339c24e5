/**
 * One request, as decisions: whom to ask, what to say, what came of it, what was sent.
 *
 *   address.ts      which addresses may be asked        ip.ts             addresses as numbers
 *   request.ts      the header fields of a visit        media-type.ts     what a body claims to be
 *   outcome.ts      what one request came to            retry-after.ts    when to come back
 *   decode.ts       undoing content-encoding            http-date.ts      dates of HTTP
 *   decode-prefix.ts  the same for bombs and damage    redirect.ts       where an answer sends us
 *   http1-head.ts   reading HTTP/1: status and fields   http1-framing.ts  where a body ends
 *   http1-chunks.ts  a body in chunks
 *
 * The request itself is made by an adapter of `../ports/http.ts`.
 */
export {
  type AddressRules,
  type AddressVerdict,
  addressVerdict,
  hostVerdict,
  isPublic,
  PUBLIC_ONLY,
} from './address.ts';
export { CONTENT_CODINGS, type Decoded, decodeBody } from './decode.ts';
export { parseHttpDate } from './http-date.ts';
export { parseNetwork } from './ip.ts';
export { mediaTypeOf } from './media-type.ts';
export type {
  Answered,
  Failed,
  FailureReason,
  Outcome,
  Refused,
  Timing,
  Tls,
  Truncation,
} from './outcome.ts';
export { redirectOf } from './redirect.ts';
export {
  type HeadersOf,
  type Identity,
  type RequestStyle,
  requestHeaders,
  userAgent,
  type Validators,
} from './request.ts';
export { parseRetryAfter } from './retry-after.ts';
