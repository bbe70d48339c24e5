/** One host: whether it may be asked, how it is doing, what it allows, what we think of it. */
import { sayBytes, sayCount, sayTime } from '../../../plan/index.ts';
import type { Host, HostDetail, Page } from './api-types.ts';
import { now } from './browser.ts';
import { HostHistoryPart } from './host-history.tsx';
import { HostQueue } from './host-queue.tsx';
import { Robots } from './host-robots.tsx';
import { type Fact, Facts, Loading, Section, Title, Trouble, When } from './parts.tsx';
import { Strange, visible } from './strange.tsx';
import { More, PageRows } from './tables.tsx';
import { TakeDown } from './takedown.tsx';
import { Traps } from './traps.tsx';
import { useAsked, useSlices } from './use.ts';
import { HOST_FLAG_WORDS, sayMany, sayWhen } from './words.ts';

export function HostPage({ name }: { readonly name: string }) {
  const path = `/hosts/${encodeURIComponent(name)}`;
  const { value, problem, again } = useAsked<HostDetail>(path, 5_000);
  const title = <Strange text={name} />;
  if (value === undefined) {
    return (
      <>
        <Title name={visible(name)}>{title}</Title>
        {problem === undefined ? (
          <Loading what="the host" />
        ) : (
          <Trouble problem={problem} again={again} />
        )}
      </>
    );
  }
  const { host, robots, traps } = value;
  return (
    <>
      <Title name={visible(name)} lead={leadOf(host)}>
        {title}
      </Title>
      {host.flags.length > 0 && (
        <ul class="flags">
          {host.flags.map((flag) => (
            <li key={flag}>{HOST_FLAG_WORDS[flag] ?? flag}</li>
          ))}
        </ul>
      )}
      <div class="columns three">
        <Section name="Pace">
          <Facts rows={paceOf(host)} />
        </Section>
        <Section name="Health">
          <Facts rows={healthOf(host)} />
        </Section>
        <Section name="Standing">
          <Facts rows={standingOf(host)} />
        </Section>
      </div>
      <HostHistoryPart name={name} />
      {traps.length > 0 && (
        <Section name="Traps" note="kinds of addresses that are cut off">
          <Traps traps={traps} />
        </Section>
      )}
      <Robots name={name} robots={robots} />
      <HostQueue name={name} />
      <HostPages name={name} />
      <Section name="Never again" note="on the request of its owner, or of a court">
        <TakeDown subject={{ host: name }} what="this host" onDone={again} />
      </Section>
    </>
  );
}

function leadOf({ turn_at, flags, errors }: Host): string {
  if (flags.includes('denied')) return 'Not asked until a person has looked at it.';
  const at = turn_at === undefined ? 0 : Date.parse(turn_at);
  const health = errors > 0 ? ` The last ${sayMany(errors, 'try', 'tries')} failed.` : '';
  if (at <= now()) return `May be asked at once.${health}`;
  return `May be asked again ${sayWhen(at, now())}.${health}`;
}

function paceOf(host: Host): Fact[] {
  const { crawl_delay_ms: delay, backoff } = host;
  return [
    ['Crawl-delay', delay > 0 ? sayTime(delay) : 'none in robots.txt'],
    ['Slowed down', backoff > 1 ? `${sayCount(backoff)} times the delay` : 'no'],
    ['Next turn', <When key="turn" at={host.turn_at} />],
    ['Last asked', <When key="last" at={host.last_fetch_at} />],
    ['Requests today', sayCount(host.fetched_today)],
    ['New URLs today', sayCount(host.new_today)],
  ];
}

function healthOf(host: Host): Fact[] {
  return [
    ['Fetched', `${sayCount(host.fetched)}, ${sayBytes(host.bytes)}`],
    ['Failed', sayCount(host.failed)],
    ['Errors in a row', sayCount(host.errors)],
    ['… since', host.errors > 0 ? <When at={host.errors_since} /> : undefined],
    ['Found down', host.downs > 0 ? sayMany(host.downs, 'time') : 'never'],
    ['Latency', `${sayCount(Math.round(host.latency_ms))} ms`],
    ['Address', host.address],
  ];
}

function standingOf(host: Host): Fact[] {
  return [
    ['Class', host.class === 'unknown' ? 'not learned yet' : host.class],
    ['Quality', `${host.quality.toFixed(2)} of 1`],
    ['Authority', `${host.authority.toFixed(2)} of 1`],
    ['Linked from', sayMany(host.in_domains, 'other domain')],
    ['Flags', host.flags.length === 0 ? 'none' : sayMany(host.flags.length, 'flag')],
  ];
}

function HostPages({ name }: { readonly name: string }) {
  const path = `/pages?limit=20&host=${encodeURIComponent(name)}`;
  const list = useSlices<Page>(path, 'pages');
  return (
    <Section name="Pages">
      {list.rows.length === 0 && !list.isAsking && list.problem === undefined && (
        <p class="quiet">No URL of this host is known.</p>
      )}
      {list.rows.length > 0 && <PageRows pages={list.rows} name="Pages of this host" />}
      <More list={list} what="pages" />
    </Section>
  );
}
