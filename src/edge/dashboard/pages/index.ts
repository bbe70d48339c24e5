/**
 * The dashboard in the browser: pages over the API, drawn by preact. Begins here.
 *
 *   route.ts ──▶ app.tsx ──┬─ overview.tsx   rates, answers, failures (live.ts, chart.tsx)
 *   the address            ├─ jobs.tsx, start.tsx         what was asked for, and asking for it
 *                          ├─ hosts.tsx, host.tsx         host-robots, host-queue, host-history
 *                          ├─ url.tsx, url-parts.tsx      why, facts, versions, links, body
 *                          ├─ shards.tsx, freshness.tsx, copies.tsx, traps.tsx
 *                          ├─ ring.tsx       on a ring alone: drawing, tables, chosen, find, places
 *                          ├─ comply.tsx, takedown.tsx    comply-forms, comply-trail
 *                          ├─ planner.tsx, plan-dials.tsx, plan-figures.tsx
 *                          └─ access.tsx     the token
 *
 *   browser.ts    the clock, the storage and the address bar: nothing else touches them
 *   ask.ts, event-stream.ts     the API, asked and listened to; api-types.ts: what it answers
 *   use.ts        hooks      parts.tsx, tables.tsx, dialog.tsx    what pages are made of
 *   strange.tsx   text of strangers, shown and never obeyed (Y3)      words.ts   ours
 *
 * Crawled text only ever becomes text nodes; there is no other way in here to show it.
 */
import { h, render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './styles/index.css';
import { App } from './app.tsx';
import { LiveFeed } from './live.ts';

const live = new LiveFeed();
void live.start();
render(h(App, { live }), document.getElementById('app') as HTMLElement);
