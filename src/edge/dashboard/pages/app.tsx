/** The frame around all pages: where one can go, where one is, and whether the numbers are live. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Access } from './access.tsx';
import { goTo, readAddress } from './browser.ts';
import { Comply } from './comply.tsx';
import { Copies } from './copies.tsx';
import { Freshness } from './freshness.tsx';
import { HostPage } from './host.tsx';
import { Hosts } from './hosts.tsx';
import { Jobs } from './jobs.tsx';
import type { LinkState, LiveFeed } from './live.ts';
import { Overview } from './overview.tsx';
import { Notice, Title } from './parts.tsx';
import { Planner } from './planner.tsx';
import { RingPage } from './ring.tsx';
import { type Route, routeOf } from './route.ts';
import { Shards } from './shards.tsx';
import { Start } from './start.tsx';
import { UrlPage } from './url.tsx';
import { useLive, useOnRing } from './use.ts';

const PLACES: readonly (readonly [string, string, readonly Route['page'][]])[] = [
  ['#/', 'Overview', ['overview']],
  ['#/jobs', 'Jobs', ['jobs', 'start']],
  ['#/hosts', 'Hosts', ['hosts', 'host']],
  ['#/url', 'Why a URL', ['url']],
  ['#/shards', 'Shards', ['shards']],
  ['#/ring', 'Ring', ['ring']],
  ['#/fresh', 'Freshness', ['fresh']],
  ['#/copies', 'Copies and traps', ['copies']],
  ['#/comply', 'Compliance', ['comply']],
  ['#/plan', 'Planner', ['plan']],
];

export function App({ live }: { readonly live: LiveFeed }) {
  const [address, setAddress] = useState(readAddress());
  useEffect(() => {
    const hear = () => setAddress(readAddress());
    addEventListener('hashchange', hear);
    return () => removeEventListener('hashchange', hear);
  }, []);
  const route = routeOf(address);
  const isOnRing = useOnRing(live) || route.page === 'ring';
  const here = useRef<HTMLAnchorElement>(null);
  // On a phone the bar is wider than the screen.
  useEffect(() => here.current?.scrollIntoView({ block: 'nearest', inline: 'center' }), [address]);
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        Skip to the page
      </button>
      <header class="top">
        <a class="mark" href="#/">
          Orbweaver
        </a>
        <nav aria-label="Pages">
          {PLACES.filter(([, , [page]]) => page !== 'ring' || isOnRing).map(([to, name, pages]) => (
            <a
              {...{ key: to, href: to }}
              {...(pages.includes(route.page) && { 'aria-current': 'page', ref: here })}
            >
              {name}
            </a>
          ))}
        </nav>
        <LinkMark feed={live} />
      </header>
      <main id="main" tabIndex={-1}>
        <Shown key={address} route={route} live={live} />
      </main>
      <footer>
        <a href="/docs/">API</a>
        <a href="/openapi.json">OpenAPI</a>
        <a href="/assets/licenses.txt">Licences</a>
      </footer>
    </>
  );
}

/** A link would change the address, which says where one is. */
function skip(): void {
  document.getElementById('main')?.focus();
}

function Shown({ route, live }: { readonly route: Route; readonly live: LiveFeed }) {
  switch (route.page) {
    case 'overview':
      return <Overview feed={live} />;
    case 'hosts':
      return <Hosts />;
    case 'host':
      return <HostPage name={route.host} />;
    case 'url':
      return <UrlPage url={route.url} />;
    case 'plan':
      return <Planner />;
    case 'start':
      return <Start />;
    case 'jobs':
      return <Jobs />;
    case 'shards':
      return <Shards />;
    case 'fresh':
      return <Freshness />;
    case 'copies':
      return <Copies />;
    case 'comply':
      return <Comply />;
    case 'ring':
      return <RingPage />;
    case 'access':
      return <Access feed={live} />;
    case 'unknown':
      return <Lost />;
  }
}

function Lost() {
  return (
    <>
      <Title name="No such page" />
      <Notice title="There is nothing at this address.">
        <button type="button" onClick={() => goTo('#/')}>
          To the overview
        </button>
      </Notice>
    </>
  );
}

const LINKS: Readonly<Record<LinkState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  polling: 'Every 2 s',
  refused: 'Token needed',
  lost: 'No answer',
};

function LinkMark({ feed }: { readonly feed: LiveFeed }) {
  const { link } = useLive(feed);
  return (
    <a class={`link-mark ${link}`} href="#/access">
      <span class="dot" aria-hidden="true" />
      <span role="status">{LINKS[link]}</span>
      <span class="unseen">; access</span>
    </a>
  );
}
