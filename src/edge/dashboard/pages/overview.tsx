/** The overview: how fast, how much, what came back, what went wrong; live. */
import { useMemo } from 'preact/hooks';
import { sayBytes, sayCount } from '../../../plan/index.ts';
import type { Progress, Stats } from './api-types.ts';
import { Chart } from './chart.tsx';
import type { Live, LiveFeed } from './live.ts';
import { Loading, Notice, Section, Title, Trouble } from './parts.tsx';
import { curve, ratesOf } from './samples.ts';
import { type Bar, Bars, Numbers, PageRows } from './tables.tsx';
import { useAsked, useLive } from './use.ts';
import { JUDGED_WORDS, sayMany, sayWhole, tidy } from './words.ts';

export function Overview({ feed }: { readonly feed: LiveFeed }) {
  const live = useLive(feed);
  const { progress, problem, link } = live;
  if (progress === undefined) {
    return (
      <>
        <Title name="Overview" />
        {problem === undefined ? (
          <Loading what="how the crawl goes" />
        ) : (
          <Trouble problem={problem} again={() => feed.restart()} />
        )}
      </>
    );
  }
  return (
    <>
      <Title name="Overview" lead={leadOf(progress)} />
      {link === 'lost' && problem && <Trouble problem={problem} again={() => feed.restart()} />}
      {progress.totals.known === 0 ? <Nothing /> : <Running live={live} progress={progress} />}
    </>
  );
}

function leadOf({ now, started_at, is_draining, totals, open_visits }: Progress): string {
  const time = sayWhole(Math.max(1_000, Date.parse(now) - Date.parse(started_at)));
  if (is_draining) return 'The service finishes what is under way, and ends.';
  const isIdle = totals.waiting === 0 && open_visits === 0;
  if (totals.known === 0) return `The service runs for ${time} and has nothing to do yet.`;
  return isIdle
    ? `Nothing waits; pages are visited again when they are due. Runs for ${time}.`
    : `Crawling for ${time}, ${sayMany(open_visits, 'request')} under way.`;
}

function Nothing() {
  return (
    <Notice title="There is nothing to crawl yet.">
      <p>Give it some addresses to begin with; it finds the others by itself.</p>
      <a class="button" href="#/start">
        Start crawling
      </a>
    </Notice>
  );
}

function Running({ live, progress }: { readonly live: Live; readonly progress: Progress }) {
  const { data } = useRates(live);
  return (
    <>
      <RunNumbers live={live} progress={progress} />
      <div class="columns charts">
        <Section name="Pages a second">
          <Chart columns={data.pages} label={curveLabel(live, 'pages')} say={sayCount} />
        </Section>
        <Section name="Bytes a second">
          <Chart columns={data.bytes} label={curveLabel(live, 'bytes')} say={sayBytes} />
        </Section>
      </div>
      <div class="columns three">
        <Section name="Answers">
          <StatusMix progress={progress} />
        </Section>
        <Section name="Failures">
          <Failures progress={progress} />
        </Section>
        <Judged />
      </div>
      <Section name="Just fetched" note="some of the pages of each second">
        {live.latest.length === 0 ? (
          <p class="quiet">Pages appear here as they come in.</p>
        ) : (
          <PageRows pages={live.latest} name="Pages that were just fetched" />
        )}
      </Section>
    </>
  );
}

function useRates({ samples }: Live) {
  const data = useMemo(
    () => ({ pages: curve(samples, 'pages'), bytes: curve(samples, 'bytes') }),
    [samples],
  );
  return { data };
}

function curveLabel({ samples }: Live, of: 'pages' | 'bytes'): string {
  const rate = ratesOf(samples)[of];
  const said = of === 'pages' ? `${sayCount(rate)} pages` : sayBytes(rate);
  return `Curve of the last ten minutes; now ${said} a second.`;
}

function RunNumbers({ live, progress }: { readonly live: Live; readonly progress: Progress }) {
  const rates = ratesOf(live.samples);
  const { totals, hosts, hosts_ready, hosts_waiting } = progress;
  const numbers: [string, string, string][] = [
    ['Pages a second', sayCount(tidy(rates.pages)), `${sayCount(progress.pages)} in this run`],
    [
      'Bytes a second',
      sayBytes(Math.round(rates.bytes)),
      `${sayBytes(progress.bytes)} in this run`,
    ],
    ['Queue', sayCount(totals.waiting ?? 0), `of ${sayMany(totals.known ?? 0, 'known URL')}`],
    [
      'Fetched',
      sayCount(totals.fetched ?? 0),
      `${sayMany(totals.retrying ?? 0, 'retry', 'retries')} to come`,
    ],
    ['Failed', sayCount(totals.failed ?? 0), `${sayCount(totals.skipped ?? 0)} passed over`],
    [
      'Hosts waiting',
      sayCount(hosts_waiting),
      `of ${sayCount(hosts)}; ${sayCount(hosts_ready)} ready`,
    ],
  ];
  return <Numbers rows={numbers} />;
}

function StatusMix({ progress }: { readonly progress: Progress }) {
  const rows = Object.entries(progress.statuses)
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, count]): Bar => ({ label, count, tone: toneOf(label) }));
  if (rows.length === 0) return <p class="quiet">No host has answered yet.</p>;
  return <Bars rows={rows} name="Answers of this run by status" />;
}

function toneOf(label: string): 'good' | 'plain' | 'bad' {
  if (/^2/.test(label)) return 'good';
  return /^[45]/.test(label) ? 'bad' : 'plain';
}

function Failures({ progress }: { readonly progress: Progress }) {
  const rows = Object.entries(progress.failures)
    .map(([label, count]): Bar => ({ label, count, tone: 'bad' }))
    .sort((a, b) => b.count - a.count)
    .slice(0, 10);
  if (rows.length === 0) return <p class="quiet">Nothing has failed in this run.</p>;
  return <Bars rows={rows} name="Failures of this run by kind" />;
}

function Judged() {
  const { value } = useAsked<Stats>('/crawl/stats', 5_000);
  const found = Object.entries(value?.judged ?? {}).filter(
    ([name, count]) => count > 0 && name in JUDGED_WORDS,
  );
  return (
    <Section name="Found out">
      {found.length === 0 ? (
        <p class="quiet">No copies, traps or missing pages in disguise so far.</p>
      ) : (
        <ul class="found">
          {found.map(([name, count]) => (
            <li key={name}>
              <b>{sayCount(count)}</b> {JUDGED_WORDS[name]?.[count === 1 ? 0 : 1]}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
