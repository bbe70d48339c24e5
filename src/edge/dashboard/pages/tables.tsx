/** Rows: counts with bars beside them, tables that scroll by themselves, and a way to more. */
import type { ComponentChildren } from 'preact';
import { sayBytes, sayCount, sayShare, sayTime } from '../../../plan/index.ts';
import type { Fetch, Page } from './api-types.ts';
import { Trouble, When } from './parts.tsx';
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

/** Large numbers side by side: a name, the number, what it is of. */
export function Numbers({
  rows,
}: {
  readonly rows: readonly (readonly [string, string, string])[];
}) {
  return (
    <dl class="numbers">
      {rows.map(([name, value, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="big">{value}</dd>
          <dd class="quiet">{note}</dd>
        </div>
      ))}
    </dl>
  );
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

interface FetchProps {
  readonly fetches: readonly Fetch[];
  readonly name: string;
  readonly hasUrl?: boolean;
  /** The hash of the body that is stored now. */
  readonly stored?: string | undefined;
}

/** Fetches as the log has them. */
export function FetchRows({ fetches, name, hasUrl = false, stored }: FetchProps) {
  return (
    <Scrolling label={name}>
      <table class="rows">
        <caption class="unseen">{name}</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Answer</th>
            <th scope="col">{hasUrl ? 'URL' : 'Body'}</th>
            <th scope="col" class="number wide-only">
              Size
            </th>
            <th scope="col" class="number wide-only">
              Took
            </th>
            {hasUrl && (
              <th scope="col" class="number wide-only">
                Pause after it
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {fetches.map((fetch, i) => (
            <tr key={i}>
              <td class="nowrap">
                <When at={fetch.at} />
              </td>
              <td class={fetch.status === 0 || fetch.status >= 400 ? 'bad-text' : ''}>
                {fetch.status === 0 ? (fetch.failure ?? 'none') : fetch.status}
              </td>
              <td class="url-cell">{hasUrl ? <UrlOf fetch={fetch} /> : bodyOf(fetch, stored)}</td>
              <td class="number wide-only">{sayBytes(fetch.bytes)}</td>
              <td class="number wide-only">{sayCount(Math.round(fetch.took_ms))} ms</td>
              {hasUrl && <td class="number wide-only">{sayTime(Math.round(fetch.pause_ms))}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

function UrlOf({ fetch: { url } }: { readonly fetch: Fetch }) {
  return (
    <a href={urlAddress(url)}>
      <Strange text={url} />
    </a>
  );
}

function bodyOf({ content_hash: hash }: Fetch, stored: string | undefined) {
  if (hash === undefined) return <span class="quiet">no new body</span>;
  return (
    <>
      <code title={hash}>{hash.slice(0, 16)}…</code>
      {hash === stored && <span class="quiet"> the one that is stored</span>}
    </>
  );
}
