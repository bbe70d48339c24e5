/**
 * A page for people and models: its main text as Markdown (X5).
 *
 *   bytes ─▶ tokens.ts ─▶ tree.ts ─▶ main-part.ts ─▶ blocks.ts ─────────────▶ Markdown
 *             elements.ts             hints.ts        lists terms tables code
 *                                     weigh.ts        spans inline links images notes escape
 *   facts.ts: title, date and language, for the lines above
 *
 * A tree is built here and nowhere else: the crawl itself scans (../page/). Nothing waits.
 */
export { frontMatter, isHtmlBody, type MarkdownOptions, toMarkdown } from './to-markdown.ts';
export type { ImageStyle } from './writing.ts';
