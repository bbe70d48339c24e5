/**
 * Hosts that show nothing without scripts (J1): single-page apps, each with another shell.
 *
 *   /          the app: a few links, loaded as data          /item/K   client-side routes
 *   /feed      a list that grows when it is scrolled: the only way to the items
 *   /about/K   ordinary pages with scripts that matter to nobody
 *   /app.js    the bundle, the same for all    /data/…   what the app asks for
 *
 * robots.txt forbids /data/private/, which every page tries to read. No item is named anywhere
 * but in the data, so a crawl that has them all has run the scripts of all the others.
 */
import { htmlAnswer, type WebAnswer, whole } from '../exchange.ts';
import { mix } from '../hash.ts';
import { notFound } from './layout.ts';
import { proseOf, slugOf } from './prose.ts';
import type { Label, QuarterHost, QuarterOrder } from './quarter.ts';
import { eachHost, seedOf } from './site-host.ts';

/** The list is longer than a screen and ends after so many steps. */
export const FEED_STEPS = 4;
const ABOUT_PAGES = 3;
const SENTENCES = 12;

export function appHosts(order: QuarterOrder): QuarterHost[] {
  return eachHost(order, (n) => {
    const app = {
      seed: seedOf(order, n),
      items: order.pages,
      shell: SHELLS[(n - 1) % SHELLS.length]!,
    };
    return {
      ...{ kind: order.kind, label: `${order.kind}-${n}`, popular: false },
      answer: (path) => answerOf(app, path),
      labelOf: (path) => labelOf(app, path),
      paths: () => pathsOf(app),
    };
  });
}

interface App {
  readonly seed: number;
  readonly items: number;
  readonly shell: (title: string) => string;
}

function* pathsOf({ items }: App): Iterable<string> {
  yield* ['/', '/feed'];
  for (let n = 0; n < ABOUT_PAGES; n++) yield `/about/${n}`;
  for (let n = 0; n < items; n++) yield `/item/${n}`;
}

function labelOf(app: App, path: string): Label | undefined {
  if (!new Set(pathsOf(app)).has(path)) return undefined;
  const scripted = !path.startsWith('/about/');
  return { role: 'honest', text: `app:${app.seed}:${path}`, edited: 0, scripted };
}

function answerOf(app: App, path: string): WebAnswer {
  if (path === '/robots.txt') return plain('text/plain', ROBOTS);
  if (path === '/app.js') return plain('text/javascript', BUNDLE);
  if (path === '/noise.js') return plain('text/javascript', 'window.noise = 1;');
  const data = /^\/data\/(.+)\.json$/.exec(path)?.[1];
  if (data !== undefined) return dataOf(app, data);
  const label = labelOf(app, path);
  if (label === undefined) return notFound();
  if (label.scripted) return htmlAnswer(200, app.shell(slugOf(app.seed)));
  return htmlAnswer(200, aboutPage(app, path));
}

const ROBOTS = 'User-agent: *\nDisallow: /data/private/\n';

/** Written as a bundler would write it, but for the length. */
const BUNDLE = `(async () => {
  const page = document.querySelector('[data-app], #root, #app, #__next, app-root') ?? document.body;
  const load = async (name) => (await fetch('/data/' + name + '.json')).json();
  const links = (all) => all.map((one) => '<li><a href="' + one + '">' + one + '</a></li>').join('');
  fetch('/data/private/me.json').catch(() => undefined);
  const name = location.pathname === '/' ? 'home' : location.pathname.slice(1);
  const { title, text, list = [], steps = 0 } = await load(name);
  document.title = title;
  page.innerHTML = '<h1>' + title + '</h1><p>' + text + '</p><ul>' + links(list) + '</ul>';
  const ul = page.querySelector('ul');
  let step = 0, busy = false;
  const more = async () => {
    if (busy || step >= steps || ul.getBoundingClientRect().bottom > innerHeight + 200) return;
    busy = true;
    ul.insertAdjacentHTML('beforeend', links((await load('feed-' + step++)).list));
    ul.insertAdjacentHTML('beforeend', '<li style="height:3000px"></li>');
    busy = false;
    more();
  };
  addEventListener('scroll', more);
  more();
})();
`;

function dataOf(app: App, name: string): WebAnswer {
  const { seed, items } = app;
  const item = /^item\/(\d+)$/.exec(name)?.[1];
  if (name === 'home') {
    const about = Array.from({ length: ABOUT_PAGES }, (_, n) => `/about/${n}`);
    return json({ ...textOf(seed), list: ['/feed', ...about] });
  }
  if (name === 'feed') return json({ ...textOf(mix(seed, 1)), steps: FEED_STEPS });
  const step = /^feed-(\d+)$/.exec(name)?.[1];
  if (step !== undefined) return json({ list: itemsIn(items, Number(step)) });
  if (item === undefined || Number(item) >= items) return notFound();
  return json(textOf(mix(seed, 100 + Number(item))));
}

function itemsIn(items: number, step: number): string[] {
  const each = Math.ceil(items / FEED_STEPS);
  const last = Math.min(items, (step + 1) * each);
  return Array.from(
    { length: Math.max(0, last - step * each) },
    (_, n) => `/item/${step * each + n}`,
  );
}

function textOf(seed: number): { title: string; text: string } {
  return { title: slugOf(seed).replaceAll('-', ' '), text: proseOf(seed, SENTENCES).join(' ') };
}

/** With a script, and an empty place for it to fill, as most pages have. */
function aboutPage({ seed }: App, path: string): string {
  const { title, text } = textOf(mix(seed, path.length + Number(path.slice(-1))));
  return (
    `<!doctype html><html><head><title>${title}</title><script src="/noise.js"></script></head>` +
    `<body><h1>${title}</h1><p>${text}</p><div id="comments"></div><p><a href="/">Home</a></p>` +
    `<script>document.getElementById('comments').textContent = 'No comments.';</script></body></html>`
  );
}

/** Ways in which real apps come, all empty. */
const SHELLS: readonly ((title: string) => string)[] = [
  (title) =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><script type="module" crossorigin src="/app.js"></script></head><body><div id="root"></div></body></html>`,
  (title) =>
    `<!doctype html><html><head><title>${title}</title><link rel="stylesheet" href="/app.css"></head><body><noscript><strong>We're sorry but ${title} doesn't work properly without JavaScript enabled. Please enable it to continue.</strong></noscript><div id="app"></div><script src="/app.js"></script></body></html>`,
  (title) =>
    `<!doctype html><html><head><title>${title}</title><base href="/"></head><body><app-root>Loading…</app-root><script src="/app.js" type="module"></script></body></html>`,
  (title) =>
    `<!doctype html><html><head><title>${title}</title></head><body><script>window.__STATE__ = ${JSON.stringify({ pad: 'x'.repeat(4_000) })};</script><script src="/app.js"></script></body></html>`,
  (title) =>
    `<!doctype html><html><head><title>${title}</title></head><body><header>${title} <a href="/">Home</a></header><div id="__next"><div class="spinner">Please wait</div></div><footer>All rights reserved. Terms and privacy.</footer><script src="/app.js" defer></script></body></html>`,
  (title) =>
    `<!doctype html><html><head><title>${title}</title></head><body><main data-app ng-version="17.0.0"></main><script>(self.webpackChunkapp = self.webpackChunkapp || []).push([[1], {}]);</script><script src="/app.js"></script></body></html>`,
];

function json(value: object): WebAnswer {
  return plain('application/json', JSON.stringify(value));
}

function plain(type: string, text: string): WebAnswer {
  return whole(200, { 'content-type': type }, Buffer.from(text));
}
