/** Hosts: those that were read so far, to be searched and sorted; more on demand. */
import { useState } from 'preact/hooks';
import { sayBytes, sayCount } from '../../../plan/index.ts';
import type { Host } from './api-types.ts';
import { goTo } from './browser.ts';
import { Loading, Notice, Title, When } from './parts.tsx';
import { hostAddress } from './route.ts';
import { Strange } from './strange.tsx';
import { More, Scrolling } from './tables.tsx';
import { useSlices } from './use.ts';
import { sayMany } from './words.ts';

interface Column {
  readonly name: string;
  readonly of: (host: Host) => string | number;
  readonly show: (host: Host) => preact.ComponentChild;
  /** Numbers begin with the largest, names with A. */
  readonly isText?: boolean;
  readonly isWideOnly?: boolean;
}

const COLUMNS: readonly Column[] = [
  {
    ...{ name: 'Host', isText: true, of: (host) => host.host },
    show: ({ host }) => (
      <a href={hostAddress(host)}>
        <Strange text={host} />
      </a>
    ),
  },
  { name: 'Fetched', of: ({ fetched }) => fetched, show: ({ fetched }) => sayCount(fetched) },
  {
    ...{ name: 'Failed', of: ({ failed }) => failed },
    show: ({ failed }) => <span class={failed > 0 ? 'bad-text' : 'quiet'}>{sayCount(failed)}</span>,
  },
  {
    name: 'Bytes',
    isWideOnly: true,
    of: ({ bytes }) => bytes,
    show: ({ bytes }) => sayBytes(bytes),
  },
  {
    ...{ name: 'Latency', isWideOnly: true, of: ({ latency_ms }) => latency_ms },
    show: ({ latency_ms }) => `${sayCount(Math.round(latency_ms))} ms`,
  },
  {
    ...{ name: 'Backoff', isWideOnly: true, of: ({ backoff }) => backoff },
    show: ({ backoff }) =>
      backoff > 1 ? `× ${sayCount(backoff)}` : <span class="quiet">none</span>,
  },
  {
    ...{ name: 'Last asked', isWideOnly: true, of: (host) => host.last_fetch_at ?? '' },
    show: (host) => <When at={host.last_fetch_at} />,
  },
  {
    ...{ name: 'Quality', isWideOnly: true, of: ({ quality }) => quality },
    show: ({ quality }) => quality.toFixed(2),
  },
  {
    ...{ name: 'Class', isText: true, isWideOnly: true, of: (host) => host.class },
    show: (host) => host.class,
  },
  {
    ...{ name: 'Flags', isText: true, of: ({ flags }) => flags.join(' ') },
    show: ({ flags }) => flags.map((flag) => flag.replaceAll('_', ' ')).join(', '),
  },
];

interface Order {
  readonly column: Column;
  readonly isUp: boolean;
}

export function Hosts() {
  const list = useSlices<Host>('/hosts?limit=250', 'hosts');
  const [wanted, setWanted] = useState('');
  const [order, setOrder] = useState<Order>({ column: COLUMNS[1] as Column, isUp: false });
  const { rows, isAsking, problem, more } = list;
  if (rows.length === 0 && isAsking) {
    return (
      <>
        <Title name="Hosts" />
        <Loading what="hosts" />
      </>
    );
  }
  const shown = sorted(
    rows.filter(({ host }) => host.includes(wanted.trim().toLowerCase())),
    order,
  );
  const known = `${sayMany(rows.length, 'host')}${more === undefined ? '' : ' read, more to come'}`;
  return (
    <>
      <Title name="Hosts" lead={problem === undefined ? `${known}.` : undefined} />
      {rows.length > 0 && <Search wanted={wanted} onWanted={setWanted} />}
      {rows.length > 0 && shown.length === 0 && (
        <p role="status">
          No host here has “{wanted}” in its name. Enter looks for it by its whole name.
        </p>
      )}
      {shown.length > 0 && <HostTable hosts={shown} order={order} onOrder={setOrder} />}
      {rows.length === 0 && problem === undefined && (
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

interface SearchProps {
  readonly wanted: string;
  readonly onWanted: (text: string) => void;
}

function Search({ wanted, onWanted }: SearchProps) {
  const submit = (event: Event) => {
    event.preventDefault();
    if (wanted.trim() !== '') goTo(hostAddress(wanted.trim().toLowerCase()));
  };
  return (
    <search aria-label="Hosts">
      <form class="inline" onSubmit={submit}>
        <label for="host-search">Find a host</label>
        <input
          id="host-search"
          type="search"
          value={wanted}
          placeholder="part of a name"
          spellcheck={false}
          autoComplete="off"
          onInput={(event) => onWanted(event.currentTarget.value)}
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

function sorted(hosts: readonly Host[], { column, isUp }: Order): readonly Host[] {
  const way = isUp ? 1 : -1;
  return [...hosts].sort((a, b) => {
    const [one, other] = [column.of(a), column.of(b)];
    if (one === other) return a.host < b.host ? -1 : 1;
    return one < other ? -way : way;
  });
}
