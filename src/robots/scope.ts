/**
 * Which robots.txt governs a URL: the one at the top of the same scheme, host and port
 * (RFC 9309, 2.3). A rule learned from `https://a.example` says nothing of `http://a.example`.
 */

/** Undefined for what has no robots.txt: not a URL, or not http(s). */
export function robotsUrlFor(url: string): string | undefined {
  const parsed = httpUrl(url);
  return parsed && `${parsed.origin}/robots.txt`;
}

export function governs(robotsUrl: string, url: string): boolean {
  const robots = httpUrl(robotsUrl);
  const page = httpUrl(url);
  return robots !== undefined && page !== undefined && robots.origin === page.origin;
}

function httpUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}
