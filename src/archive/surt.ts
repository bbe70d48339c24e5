/**
 * The key that indexes of archives are sorted by: a URL with its host turned round, so that
 * the pages of a site, and the sites of a domain, stand together.
 *
 *   https://www.Example.com:8080/A/?b=2&a=1   →   com,example:8080)/a?a=1&b=2
 *
 * As pywb, cdxj-indexer and py-wacz make it: without scheme, leading `www`, doubled and last
 * slashes, in lower case, parameters in order. Two URLs may have one key; the line itself says which.
 * What is not of the web, `urn:view:…`, is its own key.
 */
import { hostnameOf, hostOf, pathOf } from '../url/index.ts';

export function surtOf(url: string): string {
  if (!/^https?:/i.test(url)) return url;
  const lower = url.toLowerCase().replace(/^(https?:\/\/)www\d*\./, '$1');
  const name = hostnameOf(lower);
  const port = hostOf(lower).slice(name.length);
  const turned = name.startsWith('[') ? name : name.split('.').reverse().join(',');
  return `${turned}${port})${orderedPath(pathOf(lower) || '/')}`;
}

function orderedPath(path: string): string {
  const at = path.indexOf('?');
  const place = (at === -1 ? path : path.slice(0, at)).replace(/\/{2,}/g, '/');
  const query = at === -1 ? '' : path.slice(at + 1);
  const bare = place.length > 1 && place.endsWith('/') ? place.slice(0, -1) : place;
  return query === '' ? bare : `${bare}?${query.split('&').sort().join('&')}`;
}
