/**
 * What a plugin is (X2): it knows some kinds of document, and says of one what it links to, what
 * it says and what it is called.
 *
 *   types, sniff   is this document mine?
 *   read           bytes → links, text, title, metadata
 *
 * `read` is an ordinary function without waiting: it runs on a thread of its own, under a limit of
 * time and one of memory, and may throw. Whatever it does costs that page's links, nothing else.
 * docs/plugins.md shows a plugin from an npm package.
 *
 * Not here: which links are followed and where they lead to once canonical (../content/).
 */
export interface DocumentPlugin {
  /** Said in the reason when something goes wrong. */
  readonly name: string;
  /** Media types in lower case: `application/pdf`, all of a kind `text/*`, all of a suffix `*+xml`. */
  readonly types: readonly string[];
  /**
   * Does a body begin as such documents do? Asked when the type says nothing (`''`,
   * `application/octet-stream`, `text/plain`) or was wrong, with at most `SNIFF_BYTES`.
   */
  sniff?(start: Uint8Array, page: SniffedPage): boolean;
  read(page: DocumentPage): FoundDocument;
}

export const SNIFF_BYTES = 2_048;

export interface SniffedPage {
  readonly url: string;
  /** Without parameters, in lower case; '' when the server named none. */
  readonly mediaType: string;
}

export interface DocumentPage extends SniffedPage {
  /** Undone of its content-encoding; may be cut at the crawl's limit. */
  readonly body: Uint8Array;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Links and characters beyond these are dropped: no need to find more. */
  readonly linksMax: number;
  readonly textCharsMax: number;
  /** True: `markdown` is wanted, too (X5). */
  readonly wantsMarkdown?: boolean;
}

export interface FoundDocument {
  readonly title?: string;
  /** Words in reading order; fingerprints are made of them. */
  readonly text?: string;
  readonly links?: readonly DocumentLink[];
  /** The document as Markdown, when it is wanted; else one is made of title and text. */
  readonly markdown?: string;
  /** What else is known: author, language, pages … Kept beside the links. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Why less was found than there may be: `encrypted`, `cut off` … */
  readonly trouble?: string;
}

export interface DocumentLink {
  /** As written: resolved against `base`, or else against the document's own URL. */
  readonly href: string;
  readonly base?: string;
  readonly text?: string;
  /** As in HTML: `nofollow`, `ugc` and `sponsored` are recorded and not followed. */
  readonly rel?: string;
  /** What named it. A link that an author made is `a` (the default) and counts for most. */
  readonly kind?: string;
  /** When its target last changed, as the document says: any form of date (T3). */
  readonly lastmod?: string;
  /** False: recorded, never followed. */
  readonly follow?: boolean;
}

/** Checks a plugin where it is written; hands it back as it is. */
export function definePlugin(plugin: DocumentPlugin): DocumentPlugin {
  const problem = pluginProblem(plugin);
  if (problem !== undefined) throw new TypeError(problem);
  return plugin;
}

/** What keeps a value from being a plugin; undefined when it is one. */
export function pluginProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'a plugin is an object';
  const { name, types, sniff, read } = value as Partial<Record<string, unknown>>;
  if (typeof name !== 'string' || !/^[\w.@/ -]{1,64}$/.test(name)) return 'a plugin has a name';
  if (!Array.isArray(types) || !types.every((type) => typeof type === 'string')) {
    return `plugin ${name}: types is a list of media types`;
  }
  if (typeof read !== 'function') return `plugin ${name}: read is a function`;
  if (sniff !== undefined && typeof sniff !== 'function')
    return `plugin ${name}: sniff is a function`;
  return undefined;
}
