/**
 * The URLs of the pages that name others, by their keys: a page names many that are visited close
 * together, so the latest are kept and the store is asked for the rest, all of a batch at once.
 */
export type UrlsOf = (keys: readonly Uint8Array[]) => Promise<readonly (string | undefined)[]>;

const URLS_MAX = 5_000;

export class NamedPages {
  readonly #urlsOf: UrlsOf | undefined;
  #urls = new Map<string, string | undefined>();

  constructor(urlsOf: UrlsOf | undefined) {
    this.#urlsOf = urlsOf;
  }

  /** Undefined where there is no key, and where nobody knows the page any more. */
  async find(keys: readonly (Uint8Array | undefined)[]): Promise<readonly (string | undefined)[]> {
    if (this.#urlsOf === undefined) return [];
    const names = keys.map((key) => (key === undefined || key.length === 0 ? '' : nameOf(key)));
    const unknown = new Map<string, Uint8Array>();
    for (const [nth, name] of names.entries()) {
      if (name !== '' && !this.#urls.has(name)) unknown.set(name, keys[nth] as Uint8Array);
    }
    if (this.#urls.size + unknown.size > URLS_MAX) return this.#anew(keys);
    const urls = unknown.size === 0 ? [] : await this.#urlsOf([...unknown.values()]);
    for (const [nth, name] of [...unknown.keys()].entries()) this.#urls.set(name, urls[nth]);
    return names.map((name) => this.#urls.get(name));
  }

  clear(): void {
    this.#urls = new Map();
  }

  async #anew(keys: readonly (Uint8Array | undefined)[]) {
    this.clear();
    return keys.length > URLS_MAX ? [] : this.find(keys);
  }
}

function nameOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');
}
