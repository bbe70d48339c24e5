/** Small parts that all pages share: a title that takes the focus, facts, instants, notices. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ApiProblem } from './ask.ts';
import { now } from './browser.ts';
import { sayWhen } from './words.ts';

interface TitleProps {
  /** Plain words for the tab; what is shown may be more. */
  readonly name: string;
  readonly children?: ComponentChildren;
  readonly lead?: ComponentChildren;
}

/** Who comes by keyboard or by ear begins at the title of the new page. */
export function Title({ name, children, lead }: TitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${name} · Orbweaver`;
    if (document.activeElement !== document.body) heading.current?.focus();
  }, [name]);
  return (
    <header class="title">
      <h1 ref={heading} tabIndex={-1}>
        {children ?? name}
      </h1>
      {lead !== undefined && <p class="lead">{lead}</p>}
    </header>
  );
}

export type Fact = readonly [label: string, value: ComponentChildren];

/** Facts without a value are left out. */
export function Facts({ rows }: { readonly rows: readonly Fact[] }) {
  const shown = rows.filter(([, value]) => value !== undefined && value !== '');
  return (
    <dl class="facts">
      {shown.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function When({ at }: { readonly at: string | undefined }) {
  if (at === undefined) return <span class="quiet">never</span>;
  const exact = at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
  return (
    <time dateTime={at} title={exact}>
      {sayWhen(Date.parse(at), now())}
    </time>
  );
}

interface NoticeProps {
  readonly title: string;
  readonly isBad?: boolean;
  readonly children?: ComponentChildren;
}

export function Notice({ title, isBad = false, children }: NoticeProps) {
  return (
    <div class={isBad ? 'notice bad' : 'notice'}>
      <p class="notice-title">{title}</p>
      {children}
    </div>
  );
}

interface TroubleProps {
  readonly problem: ApiProblem;
  readonly again?: () => void;
}

export function Trouble({ problem, again }: TroubleProps) {
  const needsToken = problem.status === 401 || problem.status === 403;
  return (
    <Notice title={`${problem.title}.`} isBad>
      <p>{problem.detail}</p>
      {needsToken && <a href="#/access">Enter a token</a>}
      {again !== undefined && !needsToken && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </Notice>
  );
}

export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="loading" role="status">
      Reading {what}…
    </p>
  );
}

interface SectionProps {
  readonly name: string;
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Section({ name, note, children }: SectionProps) {
  const id = name.toLowerCase().replace(/\W+/g, '-');
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        {name}
        {note !== undefined && <small>{note}</small>}
      </h2>
      {children}
    </section>
  );
}
