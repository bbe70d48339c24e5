/**
 * A gzipped document is read as what is inside (X2): `sitemap.xml.gz`, `rfc.txt.gz`, `paper.pdf.gz`.
 * The first bytes decide, not the label; what comes out is bounded, so a bomb gives its beginning
 * and a reason.
 *
 * A plugin that reads gzip itself (sitemaps do, and one of the user's may) is given it as it is.
 */
import { unpack } from '../page/sitemap-gzip.ts';
import { BUILT_IN } from './built-in.ts';
import { choosePlugin } from './choose.ts';
import { type DocumentPlugin, SNIFF_BYTES, type SniffedPage } from './plugin.ts';
import { sitemap } from './sitemap.ts';
import { typeByName, unpackedName } from './type-by-name.ts';

export interface Unwrapped {
  /** Undefined when nobody reads it. */
  readonly plugin: DocumentPlugin | undefined;
  readonly page: { readonly body: Uint8Array; readonly mediaType: string };
  readonly trouble: string;
}

export function unwrapped(
  plugins: readonly DocumentPlugin[],
  body: Uint8Array,
  { url, mediaType }: SniffedPage,
  bytesMax: number,
): Unwrapped {
  const asSent = choosePlugin(plugins, body, { url, mediaType });
  const whole = { plugin: asSent, page: { body, mediaType }, trouble: '' };
  const isGzip = body[0] === 0x1f && body[1] === 0x8b && body[2] === 8;
  const isTheirs = asSent !== undefined && !BUILT_IN.includes(asSent);
  const start = body.subarray(0, SNIFF_BYTES);
  if (!isGzip || isTheirs || sitemap.sniff?.(start, { url, mediaType })) return whole;
  const { body: inside, flaw } = unpack(body, bytesMax);
  const name = unpackedName(url);
  // The type was the wrapping's, unless it was a document's own.
  const isWrapping = asSent === undefined || asSent === sitemap;
  const type = typeByName(isWrapping ? 'application/octet-stream' : mediaType, name);
  const plugin = choosePlugin(plugins, inside, { url: name, mediaType: type });
  const trouble = flaw === 'too-big' ? 'gzip: too large: only its beginning is read' : '';
  if (flaw === 'damaged-gzip') return { ...whole, trouble: 'gzip: damaged' };
  return { plugin, page: { body: inside, mediaType: type }, trouble };
}
