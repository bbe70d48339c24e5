/** What is read without asking anybody, in the order in which bodies are sniffed. */
import { feed } from './feed.ts';
import { json } from './json.ts';
import { jsonFeed } from './json-feed.ts';
import { markdown } from './markdown.ts';
import { pdf } from './pdf/index.ts';
import { plainText } from './plain-text.ts';
import type { DocumentPlugin } from './plugin.ts';
import { sitemap } from './sitemap.ts';
import { xml } from './xml.ts';

export const BUILT_IN: readonly DocumentPlugin[] = [
  ...[pdf, sitemap, feed, jsonFeed, xml, json, markdown, plainText],
];
