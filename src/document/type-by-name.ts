/**
 * What a URL's name says where the server says nothing: `report.pdf` sent as a stream of octets is
 * still a PDF, and worth asking for when PDFs are. A gzipped document (`sitemap.xml.gz`) is what is
 * inside; an archive (`.tar.gz`) or a name that says no more than `.gz` is left alone.
 */
const BY_NAME: Readonly<Record<string, string>> = {
  ...{ pdf: 'application/pdf', xml: 'application/xml', rss: 'application/rss+xml' },
  ...{ atom: 'application/atom+xml', json: 'application/json', md: 'text/markdown' },
  txt: 'text/plain',
};
const SAYS_NOTHING =
  /^(?:application\/(?:octet-stream|download|force-download|x-download)|binary\/octet-stream)$/;
const SAYS_GZIP = /^application\/(?:x-)?gzip(?:-compressed)?$/;

/** The type to go by: the one that was said, or the name's when that says nothing. */
export function typeByName(mediaType: string, url: string): string {
  const isSilent = SAYS_NOTHING.test(mediaType);
  if (!isSilent && !SAYS_GZIP.test(mediaType)) return mediaType;
  const [, name = '', packed] = /\.([a-z]{2,4})(\.gz)?(?:$|[?#])/i.exec(url) ?? [];
  if (!isSilent && packed === undefined) return mediaType;
  return BY_NAME[name.toLowerCase()] ?? mediaType;
}

/** The name of what is inside a gzipped file. */
export function unpackedName(url: string): string {
  return url.replace(/\.gz(?=$|[?#])/i, '');
}
