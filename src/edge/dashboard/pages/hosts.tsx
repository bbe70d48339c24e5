/** Hosts: all of them, in any order, found by part of a name; more on demand. */
import { useState } from 'preact/hooks';
import { sayBytes, sayCount } from '../../../plan/index.ts';
import type { Host } from './api-types.ts';
import { goTo } from './browser.ts';
import { Loading, Notice, Title, When } from './parts.tsx';
import { hostAddress } from './route.ts';
import { Strange } from './strange.tsx';
import { More, Scrolling } from './tables.tsx';
import { useSettled, useSlices } from './use.ts';
import { sayMany, tidy } from './words.ts';

interface Column {
  readonly name: string;
  /** As the API calls it. */
  readonly sort: string;
  readonly show: (host: Host) => preact.ComponentChild;
  /** Numbers begin with the largest, names with A. */
  readonly isText?: boolean;
  readonly isWideOnly?: boolean;
}

const COLUMNS: readonly Column[] = [
  {
    ...{ name: 'Host', sort: 'host', isText: true },
    show: ({ host }) => (
      <a href={hostAddress(host)}>
        <Strange text={host} />
      </a>
    ),
  },
  { name: 'Fetched', sort: 'fetched', show: ({ fetched }) => sayCount(fetched) },
  {
    ...{ name: 'Failed', sort: 'failed' },
    show: ({ failed }) => <span class={failed > 0 ? 'bad-text' : 'quiet'}>{sayCount(failed)}</span>,
  },
  { name: 'Bytes', sort: 'bytes', isWideOnly: true, show: ({ bytes }) => sayBytes(bytes) },
  {
    ...{ name: 'Latency', sort: 'latency', isWideOnly: true },
    show: ({ latency_ms }) => `${sayCount(Math.round(latency_ms))} ms`,
  },
  {
    ...{ name: 'Backoff', sort: 'backoff', isWideOnly: true },
    show: ({ backoff }) =>
      backoff > 1 ? `× ${sayCount(tidy(backoff))}` : <span class="quiet">none</span>,
  },
  {
    ...{ name: 'Last asked', sort: 'last_fetch_at', isWideOnly: true },
    show: (host) => <When at={host.last_fetch_at} />,
  },
  {
    ...{ name: 'Quality', sort: 'quality', isWideOnly: true },
    show: ({ quality }) => quality.toFixed(2),
  },
  {
    ...{ name: 'Class', sort: 'class', isText: true, isWideOnly: true },
    show: (host) => host.class,
  },
  {
    ...{ name: 'Flags', sort: 'flags', isText: true },
    show: ({ flags }) => flags.map((flag) => flag.replaceAll('_', ' ')).join(', '),
  },
];

interface Order {
  readonly column: Column;
  readonly isUp: boolean;
}

const TYPING_MS = 250;

export function Hosts() {
  const [typed, setTyped] = useState('');
  const [order, setOrder] = useState<Order>({ column: COLUMNS[1] as Column, isUp: false });
  const wanted = useSettled(typed.trim(), TYPING_MS);
  const list = useSlices<Host>(pathFor(order, wanted), 'hosts');
  const { rows, isAsking, problem, count } = list;
  const isEmpty = rows.length === 0 && !isAsking && problem === undefined;
  const [known, setKnown] = useState<number | undefined>();
  if (count !== undefined && count !== known) setKnown(count);
  return (
    <>
      <Title name="Hosts" lead={leadOf(known, wanted)} />
      {rows.length === 0 && isAsking && <Loading what="hosts" />}
      {(wanted !== '' || rows.length > 0) && <Search typed={typed} onTyped={setTyped} />}
      {isEmpty && wanted !== '' && <p role="status">No host has “{wanted}” in its name.</p>}
      {rows.length > 0 && <HostTable hosts={rows} order={order} onOrder={setOrder} />}
      {isEmpty && wanted === '' && (
        <Notice title="No host is known yet.">
          <p>Hosts appear here with the first seed.</p>
          <a class="button" href="#/start">
            Start crawling
          </a>
        </Notice>
      )}
      <More list={list} what="hosts" />
    </>
  );
}

function pathFor({ column, isUp }: Order, wanted: string): string {
  const search = wanted === '' ? '' : `&search=${encodeURIComponent(wanted)}`;
  return `/hosts?limit=100&sort=${column.sort}&order=${isUp ? 'asc' : 'desc'}${search}`;
}

function leadOf(count: number | undefined, wanted: string): string {
  if (count === undefined) return 'All hosts that the crawl has met.';
  const hosts = sayMany(count, 'host');
  return wanted === '' ? `${hosts} so far.` : `${hosts} with “${wanted}” in the name.`;
}

interface SearchProps {
  readonly typed: string;
  readonly onTyped: (text: string) => void;
}

function Search({ typed, onTyped }: SearchProps) {
  const submit = (event: Event) => {
    event.preventDefault();
    if (typed.trim() !== '') goTo(hostAddress(typed.trim().toLowerCase()));
  };
  return (
    <search aria-label="Hosts">
      <form class="inline" onSubmit={submit}>
        <label for="host-search">Find a host</label>
        <input
          id="host-search"
          type="search"
          value={typed}
          placeholder="part of a name"
          spellcheck={false}
          autoComplete="off"
          onInput={(event) => onTyped(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}

interface TableProps {
  readonly hosts: readonly Host[];
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}

function HostTable({ hosts, order, onOrder }: TableProps) {
  return (
    <Scrolling label="Hosts">
      <table class="rows">
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <Head key={column.name} column={column} order={order} onOrder={onOrder} />
            ))}
          </tr>
        </thead>
        <tbody>
          {hosts.map((host) => (
            <tr key={host.host}>
              {COLUMNS.map((column) => (
                <td key={column.name} class={classOf(column)}>
                  {column.show(host)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

function Head({ column, order, onOrder }: { readonly column: Column } & Omit<TableProps, 'hosts'>) {
  const isSorted = order.column === column;
  const turn = () => onOrder({ column, isUp: isSorted ? !order.isUp : column.isText === true });
  const sort = isSorted ? (order.isUp ? 'ascending' : 'descending') : 'none';
  return (
    <th scope="col" class={classOf(column)} aria-sort={sort}>
      <button type="button" class="sort" onClick={turn}>
        {column.name}
        <span aria-hidden="true">{isSorted ? (order.isUp ? ' ↑' : ' ↓') : ''}</span>
      </button>
    </th>
  );
}

function classOf({ isText, isWideOnly }: Column): string {
  return `${isText ? '' : 'number'} ${isWideOnly ? 'wide-only' : ''}`;
}
