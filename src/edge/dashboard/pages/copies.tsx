/** Copies and traps: pages that are repeated most, and hosts with something wrong. */
import { useState } from 'preact/hooks';
import { sayCount } from '../../../plan/index.ts';
import type { Copies as Answer, Stats, WrongHost } from './api-types.ts';
import { Loading, Section, Title, Trouble, When } from './parts.tsx';
import { hostAddress, urlAddress } from './route.ts';
import { Strange } from './strange.tsx';
import { More, Numbers } from './tables.tsx';
import { Traps } from './traps.tsx';
import { useAsked, useSlices } from './use.ts';
import { HOST_FLAG_WORDS, sayMany, sentence } from './words.ts';

const POLL_MS = 5_000;
/** While it is still being counted. */
const COUNTING_MS = 1_000;
const LEAD = 'What was found to be a copy, a circle, or a missing page in disguise.';

export function Copies() {
  const { value: stats } = useAsked<Stats>('/crawl/stats', POLL_MS);
  const judged = (name: string) => (stats === undefined ? '…' : sayCount(stats.judged[name] ?? 0));
  const hosts = (name: string) => sayMany(stats?.judged[name] ?? 0, 'host');
  return (
    <>
      <Title name="Copies and traps" lead={LEAD} />
      <Numbers
        rows={[
          ['Copies', judged('copies'), 'byte for byte'],
          ['Near-duplicates', judged('near_duplicates'), 'nearly the same words'],
          ['Soft 404s', judged('soft_404s'), `${hosts('soft_404_hosts')} full of them`],
          ['Traps', judged('trap_shapes'), `at ${hosts('trap_hosts')}`],
          ['Farms', judged('farm_hosts'), 'hosts that repeat others'],
          ['Denied', judged('denied_hosts'), 'hosts to be looked at'],
        ]}
      />
      <Clusters />
      <WrongHosts />
    </>
  );
}

function Clusters() {
  const [isCounted, setIsCounted] = useState(false);
  const asked = useAsked<Answer>('/copies', isCounted ? POLL_MS : COUNTING_MS);
  const { value, problem, again } = asked;
  if (value?.is_counted && !isCounted) setIsCounted(true);
  const clusters = value?.clusters ?? [];
  return (
    <Section name="Repeated most" note={value && lookedAt(value)}>
      {problem !== undefined && <Trouble problem={problem} again={again} />}
      {value === undefined && problem === undefined && <Loading what="the records" />}
      {value !== undefined && clusters.length === 0 && (
        <p class="quiet">{value.is_counted ? 'No page repeats another.' : 'No copy so far.'}</p>
      )}
      {clusters.length > 0 && (
        <table class="rows">
          <caption class="unseen">Pages with the most copies</caption>
          <thead>
            <tr>
              <th scope="col" class="number">
                Copies
              </th>
              <th scope="col">Page</th>
              <th scope="col" class="wide-only">
                Repeated
              </th>
            </tr>
          </thead>
          <tbody>
            {clusters.slice(0, CLUSTERS_SHOWN).map((cluster) => (
              <ClusterRow key={cluster.original_url ?? cluster.samples[0]} cluster={cluster} />
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

/** The API tells more of them. */
const CLUSTERS_SHOWN = 20;

function lookedAt({ is_counted: isCounted, looked_urls: looked }: Answer): string {
  const urls = sayMany(looked, 'URL');
  return isCounted ? `of ${urls} that were looked through` : `${urls} looked through so far`;
}

function ClusterRow({ cluster }: { readonly cluster: Answer['clusters'][number] }) {
  const { kind, copies, original_url: original, samples } = cluster;
  return (
    <tr>
      <td class="number">{sayCount(copies)}</td>
      <td class="url-cell">
        {original !== undefined && <UrlLink url={original} />}
        <ul class="samples">
          {samples.map((url) => (
            <li key={url}>
              <UrlLink url={url} />
            </li>
          ))}
        </ul>
      </td>
      <td class="wide-only nowrap">{kind === 'near' ? 'nearly its words' : 'byte for byte'}</td>
    </tr>
  );
}

function UrlLink({ url }: { readonly url: string }) {
  return (
    <a href={urlAddress(url)}>
      <Strange text={url} />
    </a>
  );
}

function WrongHosts() {
  const list = useSlices<WrongHost>('/traps?limit=25', 'hosts');
  const isEmpty = list.rows.length === 0 && !list.isAsking && list.problem === undefined;
  return (
    <Section name="Hosts with something wrong" note="and what was noticed there">
      {list.rows.length === 0 && list.isAsking && <Loading what="the hosts" />}
      {isEmpty && <p class="quiet">No host has a trap, soft 404s or mostly copies.</p>}
      <ul class="wrong">
        {list.rows.map((row) => (
          <WrongRow key={row.host.host} row={row} />
        ))}
      </ul>
      <More list={list} what="hosts" />
    </Section>
  );
}

function WrongRow({ row: { host, traps, soft_404: soft404, farm } }: { readonly row: WrongHost }) {
  const told = [...(soft404 === undefined ? [] : [soft404]), ...(farm === undefined ? [] : [farm])];
  return (
    <li>
      <h3>
        <a href={hostAddress(host.host)}>
          <Strange text={host.host} />
        </a>
      </h3>
      {host.flags
        .filter((flag) => flag !== 'class_set')
        .map((flag) => (
          <p key={flag}>{HOST_FLAG_WORDS[flag] ?? flag}</p>
        ))}
      {told.map(({ since, reason }) => (
        <p key={reason} class="quiet">
          <Strange text={sentence(reason)} /> Found <When at={since} />.
        </p>
      ))}
      {traps.length > 0 && <Traps traps={traps} />}
    </li>
  );
}
