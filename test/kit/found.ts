/** What a test looks for in a crawl that runs: a host with rules, a page that was fetched. */
import assert from 'node:assert/strict';
import type { TestService } from './service.ts';

/** A host whose robots.txt forbids something. */
export async function ruledHost({ ask }: TestService): Promise<string> {
  const { json } = await ask('/hosts');
  for (const { host } of json.hosts as readonly { readonly host: string }[]) {
    const { robots } = (await ask(`/hosts/${host}`)).json;
    if (host.startsWith('h') && /^disallow: *\/\w/im.test(robots[0]?.text ?? '')) return host;
  }
  return assert.fail('no host of the test web has a rule');
}

/** A page that was fetched, besides the seeds. */
export async function fetchedPage({ ask }: TestService, start: string): Promise<string> {
  const { json } = await ask('/pages?state=indexed&limit=50');
  const pages = json.pages as readonly { readonly url: string; readonly title?: string }[];
  const other = pages.find(({ url, title }) => url !== start && title !== undefined);
  return (other as { readonly url: string }).url;
}
