/**
 * Parts of a canonical URL, by slicing.
 *
 *   http://example.com:8080/a/b?c=d
 *          └ hostname ┘     └ path ┘     host = hostname with a port that isn't the scheme's
 *   └────── origin ───────┘              (U3)
 *
 * For canonical URLs only: there is always a slash after the host, and never userinfo.
 */
export function hostOf(url: string): string {
  const from = hostAt(url);
  return url.slice(from, hostEnd(url, from));
}

export function hostnameOf(url: string): string {
  const host = hostOf(url);
  const colon = host.lastIndexOf(':');
  return colon < 0 || host.endsWith(']') ? host : host.slice(0, colon);
}

/** `http://host:port`, without a final slash. */
export function originOf(url: string): string {
  return url.slice(0, hostEnd(url, hostAt(url)));
}

/** Path and query: what a request asks for. */
export function pathOf(url: string): string {
  return url.slice(hostEnd(url, hostAt(url)));
}

function hostAt(url: string): number {
  return url.charCodeAt(4) === 0x73 ? 8 : 7;
}

function hostEnd(url: string, from: number): number {
  const slash = url.indexOf('/', from);
  return slash < 0 ? url.length : slash;
}
