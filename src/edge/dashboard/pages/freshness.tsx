/** How fresh the pages are: what is due and for how long, and who is visited in time. */
import { sayCount, sayShare, sayTime } from '../../../plan/index.ts';
import type { Freshness as Answer } from './api-types.ts';
import { Loading, Notice, Section, Title, Trouble, When } from './parts.tsx';
import { urlAddress } from './route.ts';
import { Strange } from './strange.tsx';
import { Numbers, Scrolling } from './tables.tsx';
import { useAsked } from './use.ts';
import { CLASS_WORDS, sayMany, sayWhole } from './words.ts';

const POLL_MS = 5_000;
const LEAD = 'When pages are visited again, and how far behind that is.';

export function Freshness() {
  const { value, problem, again } = useAsked<Answer>('/freshness', POLL_MS);
  return (
    <>
      <Title name="Freshness" lead={LEAD} />
      {problem !== undefined && <Trouble problem={problem} again={again} />}
      {value === undefined && problem === undefined && <Loading what="what is due" />}
      {value !== undefined && <Shown fresh={value} />}
    </>
  );
}

function Shown({ fresh }: { readonly fresh: Answer }) {
  const { due, due_within: soon, counted_max: most, lag_ms: lag, sampled, in_time: inTime } = fresh;
  const counted = (count: number) => `${sayCount(count)}${count >= most ? ' or more' : ''}`;
  const share = sampled === 0 ? '–' : sayShare(Math.round((1000 * inTime) / sampled) / 1000);
  return (
    <>
      <Numbers
        rows={[
          ['In time', share, `of ${sayMany(sampled, 'page')} in a sample`],
          ['Due now', counted(due), 'wait to be queued again'],
          ['Longest overdue', due === 0 ? 'none' : sayWhole(Math.max(1_000, lag)), 'the lag'],
          ['Within an hour', counted(soon.hour), 'fall due'],
          ['Within a day', counted(soon.day), 'fall due'],
          ['Within a week', counted(soon.week), 'fall due'],
        ]}
      />
      {sampled === 0 ? (
        <Notice title="No page is to be visited again yet.">
          <p>Pages get an interval with their first visit, and this page fills with them.</p>
        </Notice>
      ) : (
        <Groups fresh={fresh} />
      )}
      <Overdue fresh={fresh} />
    </>
  );
}

const TIERS: Readonly<Record<number, string>> = {
  1: '1, within an hour',
  2: '2, within a day',
  3: '3, the others',
};

function Groups({ fresh: { groups, sampled } }: { readonly fresh: Answer }) {
  return (
    <Section name="By tier and class" note={`of ${sayMany(sampled, 'page')}, evenly picked`}>
      <Scrolling label="Freshness by tier and class">
        <table class="rows">
          <caption class="unseen">Pages of a sample by tier and class of their host</caption>
          <thead>
            <tr>
              <th scope="col">Tier</th>
              <th scope="col">Class</th>
              <th scope="col" class="number">
                Pages
              </th>
              <th scope="col" class="number">
                In time
              </th>
              <th scope="col" class="number wide-only">
                Median interval
              </th>
              <th scope="col" class="number">
                Overdue
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <tr key={`${group.tier} ${group.class}`}>
                <td>{TIERS[group.tier]}</td>
                <td>{CLASS_WORDS[group.class]}</td>
                <td class="number">{sayCount(group.pages)}</td>
                <td class="number">
                  {sayShare(Math.round((100 * group.in_time) / group.pages) / 100)}
                </td>
                <td class="number wide-only">
                  {sayTime(Math.round(group.interval_ms / 1_000) * 1_000)}
                </td>
                <td class="number">
                  {group.late_ms_max > 0 ? sayWhole(group.late_ms_max) : 'none'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </Section>
  );
}

function Overdue({ fresh: { latest } }: { readonly fresh: Answer }) {
  return (
    <Section name="Longest overdue">
      {latest.length === 0 && <p class="quiet">Nothing is overdue.</p>}
      {latest.length > 0 && (
        <table class="rows">
          <caption class="unseen">Pages that are due for longest</caption>
          <thead>
            <tr>
              <th scope="col">URL</th>
              <th scope="col">Was due</th>
              <th scope="col" class="wide-only">
                Last fetched
              </th>
            </tr>
          </thead>
          <tbody>
            {latest.map((page) => (
              <tr key={page.url_hash}>
                <td class="url-cell">
                  <a href={urlAddress(page.url)}>
                    <Strange text={page.url} />
                  </a>
                </td>
                <td class="nowrap">
                  <When at={page.next_crawl_at} />
                </td>
                <td class="wide-only nowrap">
                  <When at={page.last_fetched_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
