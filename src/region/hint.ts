/**
 * A host's hint: the region that it is probably in (K4). A guess that costs a longer way when it
 * is wrong, and nothing else.
 *
 *   1. the user's own table: the host itself, then the longest domain that it is under
 *   2. the geo-IP table, by address: known once the host was looked up the first time
 *   3. the country that its top-level domain belongs to
 *   4. none
 */
import { regionOfTopLevel } from './countries.ts';
import type { GeoTable } from './geo-table.ts';
import { regionNamed } from './name.ts';

export interface HostRegion {
  /** A host, or a domain with all that is under it; a bare `de` is one, too. */
  readonly host: string;
  readonly region: string;
}

export class RegionHints {
  readonly #own: ReadonlyMap<string, string>;
  readonly #geo: GeoTable | undefined;

  constructor(own: readonly HostRegion[], geo?: GeoTable) {
    this.#own = new Map(own.map(({ host, region }) => [host, regionNamed(region)]));
    this.#geo = geo;
  }

  /** Empty is none. `host` may have a port; `address` is empty while it is not known. */
  of(host: string, address: string): string {
    const name = nameIn(host);
    const literal = address === '' ? literalIn(name) : address;
    return this.#ownOf(host, name) || this.#geo?.regionOf(literal) || regionOfTopLevel(name);
  }

  #ownOf(host: string, name: string): string {
    if (this.#own.size === 0) return '';
    const exact = this.#own.get(host);
    if (exact !== undefined) return exact;
    for (let at = 0; ; at++) {
      const found = this.#own.get(name.slice(at));
      if (found !== undefined) return found;
      at = name.indexOf('.', at);
      if (at === -1) return '';
    }
  }
}

/** Without port, and without the dot that ends a full name. */
function nameIn(host: string): string {
  const colon = host.lastIndexOf(':');
  const name = colon > host.lastIndexOf(']') ? host.slice(0, colon) : host;
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

/** A host that is an address needs no look-up; of other names the table knows nothing. */
function literalIn(name: string): string {
  return name.startsWith('[') ? name.slice(1, -1) : name;
}
