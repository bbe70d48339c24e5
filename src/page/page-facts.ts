/**
 * What a page's head says about the page: its base, language, refreshes and directives to
 * crawlers; and the images and forms in its body, for those who ask.
 *
 * Only gathers, as written: URLs are resolved in scan.ts, directives are read by ../robots/.
 */
import { ATTRIBUTE, type TagAttributes } from './attributes.ts';
import { TAG_FORM, TAG_IMG } from './kernel-tags.ts';

export type ResourceKind = 'img' | 'source' | 'form';

/** More of them than this say nothing new; a hostile page could hold millions. */
const METAS_MAX = 50;
const DIRECTIVE =
  'no(?:index|follow|archive|snippet|cache|ne|odp|imageindex|translate)|index(?:ifembedded)?|' +
  'follow|all|max-[a-z-]+|unavailable_after';
/** A list with a directive in it: some crawler may be meant, whatever it is called. */
const DIRECTIVES = new RegExp(`(?:^|[,:])\\s*(?:${DIRECTIVE})\\s*(?:$|[,:])`, 'i');

export class PageFacts {
  baseHref: string | undefined;
  lang: string | undefined;
  readonly refreshes: string[] = [];
  readonly robots: { name: string; content: string }[] = [];
  readonly resources: { kind: ResourceKind; href: string }[] = [];
  readonly #resourcesMax: number;

  constructor(resourcesMax: number) {
    this.#resourcesMax = resourcesMax;
  }

  /** The first base that has an href counts, whatever the href is. */
  base(attributes: TagAttributes): void {
    this.baseHref ??= attributes.value(ATTRIBUTE.href);
  }

  html(attributes: TagAttributes): void {
    this.lang ??= attributes.value(ATTRIBUTE.lang);
  }

  meta(attributes: TagAttributes, mayRefresh: boolean): void {
    const content = attributes.value(ATTRIBUTE.content);
    if (content === undefined) return;
    const pragma = attributes.value(ATTRIBUTE.httpEquiv)?.toLowerCase();
    if (pragma === 'refresh' && mayRefresh && this.refreshes.length < METAS_MAX) {
      this.refreshes.push(content);
    }
    const name = attributes.value(ATTRIBUTE.name)?.toLowerCase();
    if (name === undefined || this.robots.length >= METAS_MAX) return;
    if (name === 'robots' || DIRECTIVES.test(content)) this.robots.push({ name, content });
  }

  /** An image, a media source, or a form that asks with GET. */
  resource(tag: number, attributes: TagAttributes): void {
    const form = tag === TAG_FORM;
    const method = form ? (attributes.value(ATTRIBUTE.method) ?? 'get') : 'get';
    const href = attributes.value(form ? ATTRIBUTE.action : ATTRIBUTE.src);
    if (href === undefined || method.toLowerCase() !== 'get') return;
    if (this.resources.length >= this.#resourcesMax) return;
    this.resources.push({ kind: form ? 'form' : tag === TAG_IMG ? 'img' : 'source', href });
  }
}
