/**
 * Where one is, from the address after `#`, so that every page can be linked to and the server
 * needs to know nothing of it.
 *
 *   #/   #/jobs   #/start   #/hosts   #/hosts/NAME   #/url   #/url/URL   #/shards   #/fresh
 *   #/copies   #/comply   #/plan   #/access   #/ring
 */
export type Route =
  | { readonly page: 'overview' | (typeof PLAIN)[number] | 'unknown' }
  | { readonly page: 'host'; readonly host: string }
  | { readonly page: 'url'; readonly url: string };

const PLAIN = [
  ...(['jobs', 'start', 'hosts', 'shards', 'fresh', 'copies', 'comply', 'plan'] as const),
  ...(['access', 'ring'] as const),
] as const;

export function routeOf(address: string): Route {
  const path = address.replace(/^#?\/?/, '');
  if (path === '') return { page: 'overview' };
  const cut = path.indexOf('/');
  const [first, rest] = cut < 0 ? [path, ''] : [path.slice(0, cut), path.slice(cut + 1)];
  if (first === 'hosts' && rest !== '') return { page: 'host', host: decoded(rest) };
  if (first === 'url') return { page: 'url', url: decoded(rest) };
  const plain = PLAIN.find((page) => page === path);
  return { page: plain ?? 'unknown' };
}

export function hostAddress(host: string): string {
  return `#/hosts/${encodeURIComponent(host)}`;
}

export function urlAddress(url: string): string {
  return `#/url/${encodeURIComponent(url)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
