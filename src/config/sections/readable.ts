/** Pages as Markdown (X5): when, and with what. */
import { boolean, choice } from '../kinds-plain.ts';
import { setting } from '../setting.ts';

export const readable = {
  markdown: setting(boolean(), false, {
    help: 'The main text of pages as Markdown; with --json as a field of each page.',
    example: 'true',
    aliases: ['md', 'as-markdown', 'readable'],
  }),
  frontMatter: setting(boolean(), false, {
    help: 'Title, URL, date and language of a page as YAML above its Markdown.',
    example: 'true',
    aliases: ['frontmatter', 'metadata-block'],
  }),
  wholePage: setting(boolean(), false, {
    help: 'Markdown of the whole page, with its menus and footers.',
    example: 'true',
    aliases: ['full-page', 'no-main-part'],
  }),
  images: setting(choice('link', 'text', 'none'), 'link', {
    help: 'Images in Markdown: as links with their words, as their words alone, or not at all.',
    example: 'text',
    aliases: ['markdown-images'],
  }),
};
