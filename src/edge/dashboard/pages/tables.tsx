/** Rows: counts with bars beside them, tables that scroll by themselves, and a way to more. */
import type { ComponentChildren } from 'preact';
import { sayCount, sayShare } from '../../../plan/index.ts';
import type { Page } from './api-types.ts';
import { Trouble } from './parts.tsx';
import { urlAddress } from './route.ts';
import { Strange } from './strange.tsx';
import type { Sliced } from './use.ts';

export interface Bar {
  readonly label: string;
  readonly count: number;
  readonly tone?: 'good' | 'plain' | 'bad';
}

/** Counts beside each other, the longest bar being the largest of them. */
export function Bars({ rows, name }: { readonly rows: readonly Bar[]; readonly name: string }) {
  const sum = rows.reduce((all, { count }) => all + count, 0);
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <table class="bars">
      <caption class="unseen">{name}</caption>
      <tbody>
        {rows.map(({ label, count, tone = 'plain' }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td class="bar-cell" aria-hidden="true">
              <span class={`bar ${tone}`} style={{ width: `${(100 * count) / most}%` }} />
            </td>
            <td class="number">{sayCount(count)}</td>
            <td class="number quiet">{sayShare(roughly(count / Math.max(1, sum)))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function roughly(share: number): number {
  return share > 0.01 ? Math.round(share * 100) / 100 : Number(share.toPrecision(1));
}

/** Wide tables scroll sideways in their own place, by keyboard as well. */
export function Scrolling(props: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
    <section class="scrolling" aria-label={props.label} tabIndex={0}>
      {props.children}
    </section>
  );
}

export function More<T>({ list, what }: { readonly list: Sliced<T>; readonly what: string }) {
  if (list.problem !== undefined) return <Trouble problem={list.problem} again={list.again} />;
  if (list.more === undefined) return null;
  return (
    <button type="button" onClick={list.more} disabled={list.isAsking}>
      Show more {what}
    </button>
  );
}

/** URLs with what became of them; each leads to its own story. */
export function PageRows({ pages, name }: { readonly pages: readonly Page[]; name: string }) {
  return (
    <table class="rows">
      <caption class="unseen">{name}</caption>
      <thead>
        <tr>
          <th scope="col">Answer</th>
          <th scope="col">URL</th>
          <th scope="col" class="number wide-only">
            Took
          </th>
        </tr>
      </thead>
      <tbody>
        {pages.map((page) => (
          <tr key={page.url_hash}>
            <td class={isBad(page) ? 'bad-text' : ''}>{page.http_status ?? page.state}</td>
            <td class="url-cell">
              <a href={urlAddress(page.url)}>
                <Strange text={page.url} />
              </a>
              {page.title !== undefined && (
                <span class="quiet title-line">
                  <Strange text={page.title} />
                </span>
              )}
            </td>
            <td class="number wide-only">
              {page.whole_ms === undefined ? '' : `${sayCount(Math.round(page.whole_ms))} ms`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function isBad({ http_status: status = 0, state }: Page): boolean {
  return status >= 400 || state === 'failed' || state === 'dead';
}
