/**
 * Replays a WACZ in the field's own software: ReplayWeb.page in a real browser, served from
 * loopback. What it shows of a page is what its frame says.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import type { Cleanup } from './place.ts';

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  wacz: 'application/wacz',
};

export interface Replay {
  /** The text of an archived page, as its reader sees it. */
  textOf(url: string): Promise<string>;
  /** What a plain page with this HTML says in the same browser. */
  plainText(html: string): Promise<string>;
  picture(path: string): Promise<void>;
}

export async function openReplay(
  t: Cleanup,
  browser: Browser,
  software: string,
  wacz: string,
): Promise<Replay> {
  const at = await serve(t, software, wacz);
  const context = await browser.newContext({ locale: 'en-US' });
  t.after(() => context.close());
  await context.route(
    (url) => url.hostname !== '127.0.0.1',
    (route) => route.abort(),
  );
  const page = await context.newPage();
  return {
    textOf: async (url) => {
      await page.goto(`${at}/?url=${encodeURIComponent(url)}`);
      const frame = await shownFrame(page, url);
      await frame.waitForLoadState('load');
      return (await frame.locator('body').innerText()).replace(/\s+/g, ' ').trim();
    },
    plainText: (html) => plainText(browser, html),
    picture: async (path) => void (await page.screenshot({ path })),
  };
}

async function plainText(browser: Browser, html: string): Promise<string> {
  const page = await browser.newPage();
  await page.route('**', (route) => route.abort());
  await page.setContent(html);
  const text = (await page.locator('body').innerText()).replace(/\s+/g, ' ').trim();
  await page.close();
  return text;
}

/** The frame into which the service worker puts the archived page. */
async function shownFrame(page: Page, url: string): Promise<Frame> {
  const isIt = (frame: Frame) => frame.url().endsWith(`mp_/${url}`);
  const endsAt = performance.now() + 30_000;
  while (performance.now() < endsAt) {
    const frame = page.frames().find(isIt);
    if (frame !== undefined) return frame;
    await page.waitForTimeout(50);
  }
  const shown = page.frames().map((frame) => frame.url());
  throw new Error(`${url} was not shown; frames: ${shown.join(' ')}`);
}

async function serve(t: Cleanup, software: string, wacz: string): Promise<string> {
  const files: Readonly<Record<string, Buffer>> = {
    '/replay/': readFileSync(join(software, 'index.html')),
    '/replay/ui.js': readFileSync(join(software, 'ui.js')),
    '/replay/sw.js': readFileSync(join(software, 'sw.js')),
    '/a.wacz': readFileSync(wacz),
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const file = files[pathname];
    if (file === undefined) {
      response.setHeader('content-type', 'text/html');
      response.end(pathname === '/' ? htmlFor(searchParams.get('url') ?? '') : '');
      return;
    }
    response.setHeader('content-type', TYPES[pathname.split('.')[1] ?? ''] ?? 'text/html');
    response.setHeader('accept-ranges', 'bytes');
    const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '');
    if (range === null) {
      response.end(request.method === 'HEAD' ? undefined : file);
      return;
    }
    const [from, to] = spanOf(range, file.length);
    const span = `bytes ${from}-${to - 1}/${file.length}`;
    response.writeHead(206, { 'content-range': span, 'content-length': String(to - from) });
    response.end(request.method === 'HEAD' ? undefined : file.subarray(from, to));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function spanOf([, first = '', last = '']: RegExpExecArray, size: number): [number, number] {
  if (first === '') return [size - Number(last), size];
  return [Number(first), last === '' ? size : Math.min(size, Number(last) + 1)];
}

function htmlFor(url: string): string {
  const safe = url.replace(/[&"<>]/g, (letter) => `&#${letter.charCodeAt(0)};`);
  return `<!doctype html><script src="/replay/ui.js"></script><style>html,body{height:100%;margin:0}</style>
<replay-web-page source="/a.wacz" url="${safe}" replayBase="/replay/" embed="replayonly"></replay-web-page>`;
}
