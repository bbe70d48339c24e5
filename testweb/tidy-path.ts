/**
 * A server is more forgiving than a log: a path with tracking or session parameters serves the
 * same page. The log keeps what was asked, so a crawler that did not canonicalise is seen there.
 */
const NOISE = /^(utm_[a-z]+|fbclid|gclid|msclkid|sid|PHPSESSID)$/;

export function tidyPath(path: string): string {
  const [front, query] = path.split('?', 2) as [string, string?];
  const clean = front.replace(/;jsessionid=[^/]*/i, '').replace(/%[0-9a-f]{2}/gi, upper);
  if (query === undefined) return clean;
  const kept = query.split('&').filter((pair) => pair !== '' && !NOISE.test(pair.split('=')[0]!));
  return kept.length === 0 ? clean : `${clean}?${kept.sort().join('&')}`;
}

const upper = (text: string): string =>
  text === '%2d' || text === '%2D' ? '-' : text.toUpperCase();
