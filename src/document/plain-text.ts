/**
 * Plain text (X2): its words, and the URLs that it writes out. A text has no title of its own
 * making; none is invented.
 */
import { fenced } from './as-markdown.ts';
import { definePlugin } from './plugin.ts';
import { bareUrls, isBinary, textOf, withoutControls } from './text-tools.ts';

export const plainText = definePlugin({
  name: 'text',
  types: ['text/plain', 'text/*'],
  read(page) {
    const whole = textOf(page);
    if (isBinary(whole)) return { trouble: 'not text, although announced' };
    const text = withoutControls(whole, page.textCharsMax);
    const links = bareUrls(text, page.linksMax);
    return { text, links, ...(page.wantsMarkdown && { markdown: fenced(whole) }) };
  },
});
