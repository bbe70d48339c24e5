/** What waits at a host, in the order in which it is going to be asked. */
import { sayCount } from '../../../plan/index.ts';
import type { Waiting } from './api-types.ts';
import { Loading, Section, When } from './parts.tsx';
import { urlAddress } from './route.ts';
import { Strange } from './strange.tsx';
import { More } from './tables.tsx';
import { useSlices } from './use.ts';

export function HostQueue({ name }: { readonly name: string }) {
  const list = useSlices<Waiting>(`/hosts/${encodeURIComponent(name)}/queue?limit=20`, 'waiting');
  const isEmpty = list.rows.length === 0 && !list.isAsking && list.problem === undefined;
  return (
    <Section name="Queue" note="next first, as it was when the page was opened">
      {list.rows.length === 0 && list.isAsking && <Loading what="its queue" />}
      {isEmpty && <p class="quiet">Nothing waits here.</p>}
      {list.rows.length > 0 && (
        <table class="rows">
          <caption class="unseen">URLs that wait at this host, next first</caption>
          <thead>
            <tr>
              <th scope="col" class="number">
                Place
              </th>
              <th scope="col">URL</th>
              <th scope="col" class="number">
                Priority
              </th>
              <th scope="col" class="number wide-only">
                Rank
              </th>
              <th scope="col" class="number wide-only">
                Depth
              </th>
              <th scope="col" class="wide-only">
                Waits since
              </th>
            </tr>
          </thead>
          <tbody>
            {list.rows.map((row, i) => (
              <tr key={row.url_hash}>
                <td class="number">{sayCount(i + 1)}</td>
                <td class="url-cell">
                  <a href={urlAddress(row.url)}>
                    <Strange text={row.url} />
                  </a>
                  {noteOf(row) !== '' && <span class="quiet title-line">{noteOf(row)}</span>}
                </td>
                <td class="number">{row.priority.toFixed(3)}</td>
                <td class="number wide-only">{row.rank}</td>
                <td class="number wide-only">{sayCount(row.depth)}</td>
                <td class="wide-only nowrap">
                  <When at={row.admitted_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <More list={list} what="of the queue" />
    </Section>
  );
}

function noteOf({ again, fails }: Waiting): string {
  const notes = [again ? 'visited before' : '', fails > 0 ? `failed ${sayCount(fails)} times` : ''];
  return notes.filter((note) => note !== '').join(', ');
}
