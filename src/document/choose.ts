/**
 * Which plugin reads a document:
 *
 *   1. one whose own mark the body bears, when the type is silent or a catch-all
 *   2. the one that names the type: exactly, then by suffix (`*+xml`), then by kind (`text/*`)
 *   3. with neither, nobody: an image has no links
 *
 * What the user registered is asked before what is built in, so that a plugin can take over a
 * type. A type that is flatly wrong (a PDF sent as text) is known by the body's first bytes.
 */
import { type DocumentPlugin, SNIFF_BYTES, type SniffedPage } from './plugin.ts';

/** Types that servers say when they do not know. */
const SILENT = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'text/plain']);
const CATCH_ALL = new Set([...SILENT, 'application/xml', 'text/xml', 'application/json']);

export function choosePlugin(
  plugins: readonly DocumentPlugin[],
  body: Uint8Array,
  page: SniffedPage,
): DocumentPlugin | undefined {
  const named = bestByType(plugins, page.mediaType);
  if (named !== undefined && !CATCH_ALL.has(page.mediaType) && fits(named, body, page)) {
    return named;
  }
  return plugins.find((plugin) => sniffs(plugin, body, page)) ?? named;
}

/** A plugin that knows its documents by their start is not given others, whatever the type. */
function fits(plugin: DocumentPlugin, body: Uint8Array, page: SniffedPage): boolean {
  return plugin.sniff === undefined || sniffs(plugin, body, page);
}

function sniffs(plugin: DocumentPlugin, body: Uint8Array, page: SniffedPage): boolean {
  return plugin.sniff?.(body.subarray(0, SNIFF_BYTES), page) === true;
}

function bestByType(
  plugins: readonly DocumentPlugin[],
  mediaType: string,
): DocumentPlugin | undefined {
  for (const type of patternsOf(mediaType)) {
    const plugin = plugins.find(({ types }) => types.includes(type));
    if (plugin !== undefined) return plugin;
  }
  return undefined;
}

/** From the narrowest: `application/rss+xml`, `*+xml`, `application/*`. */
export function patternsOf(mediaType: string): string[] {
  const plus = mediaType.lastIndexOf('+');
  const slash = mediaType.indexOf('/');
  if (slash < 0) return [];
  const bySuffix = plus > slash ? [`*${mediaType.slice(plus)}`] : [];
  return [mediaType, ...bySuffix, `${mediaType.slice(0, slash)}/*`];
}
