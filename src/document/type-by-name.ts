/**
 * What a URL's name says where the server says nothing: `report.pdf` sent as a stream of octets is
 * still a PDF, and worth asking for when PDFs are.
 */
const BY_NAME: Readonly<Record<string, string>> = {
  ...{ pdf: 'application/pdf', xml: 'application/xml', rss: 'application/rss+xml' },
  ...{ atom: 'application/atom+xml', json: 'application/json', md: 'text/markdown' },
  txt: 'text/plain',
};
const SAYS_NOTHING =
  /^(?:application\/(?:octet-stream|download|force-download|x-download)|binary\/octet-stream)$/;

/** The type to go by: the one that was said, or the name's when that says nothing. */
export function typeByName(mediaType: string, url: string): string {
  if (!SAYS_NOTHING.test(mediaType)) return mediaType;
  const name = /\.([a-z]{2,4})(?:$|[?#])/i.exec(url)?.[1]?.toLowerCase() ?? '';
  return BY_NAME[name] ?? mediaType;
}
