/** What a host's robots.txt said, with the lines that decide for a path that somebody types. */
import { useState } from 'preact/hooks';
import { sayTime } from '../../../plan/index.ts';
import type { HostDetail, RobotsVerdict } from './api-types.ts';
import { Facts, Section, Trouble, When } from './parts.tsx';
import { MarkedLines, type Marks, Strange } from './strange.tsx';
import { useAsked, useSettled } from './use.ts';

const TYPING_MS = 250;

interface RobotsProps extends Pick<HostDetail, 'robots'> {
  readonly name: string;
}

export function Robots({ name, robots }: RobotsProps) {
  const [typed, setTyped] = useState('/');
  const path = useSettled(pathOf(typed), TYPING_MS);
  const at = `/hosts/${encodeURIComponent(name)}/robots?path=${encodeURIComponent(path)}`;
  const { value, problem } = useAsked<{ readonly verdicts: readonly RobotsVerdict[] }>(
    robots.length === 0 ? '' : at,
  );
  return (
    <Section name="robots.txt" note="the lines that decide are marked">
      {robots.length === 0 && <p class="quiet">It was not read yet.</p>}
      {robots.length > 0 && <PathField typed={typed} onTyped={setTyped} />}
      {problem !== undefined && <Trouble problem={problem} />}
      {robots.map((one) => (
        <OneRobots
          key={one.origin}
          robots={one}
          path={path}
          verdict={value?.verdicts.find(({ origin }) => origin === one.origin)}
        />
      ))}
    </Section>
  );
}

function pathOf(typed: string): string {
  const text = typed.trim().replace(/^https?:\/\/[^/]*/i, '');
  return text.startsWith('/') ? text : `/${text}`;
}

interface PathProps {
  readonly typed: string;
  readonly onTyped: (text: string) => void;
}

function PathField({ typed, onTyped }: PathProps) {
  return (
    <div class="inline">
      <label for="robots-path">May this path be asked?</label>
      <input
        {...{ id: 'robots-path', value: typed, spellcheck: false, autoComplete: 'off' }}
        placeholder="/path"
        onInput={(event) => onTyped(event.currentTarget.value)}
      />
    </div>
  );
}

interface OneProps {
  readonly robots: HostDetail['robots'][number];
  readonly verdict: RobotsVerdict | undefined;
  readonly path: string;
}

function OneRobots({ robots, verdict, path }: OneProps) {
  const { origin, status, fetched_at, expires_at, problem, text } = robots;
  return (
    <div class="robots">
      <div>
        <p role="status" class={verdict?.allowed === false ? 'said bad-text' : 'said'}>
          {verdict === undefined ? 'Reading…' : saidBy(verdict, path)}
        </p>
        <Facts
          rows={[
            ['Of', <Strange key="of" text={origin} />],
            ['Answer', status === 0 ? 'none' : String(status)],
            ['Speaks to us as', verdict && (verdict.token ?? 'nobody: it names others')],
            ['Crawl-delay', verdict && delayOf(verdict)],
            ['Read', <When key="read" at={fetched_at} />],
            ['Read again', <When key="again" at={expires_at} />],
            ['Trouble', problem === undefined ? undefined : <Strange text={problem} />],
          ]}
        />
      </div>
      {text === '' ? (
        <p class="quiet">
          {status >= 400 && status < 500 ? 'There is none: all is allowed.' : 'It is empty.'}
        </p>
      ) : (
        <MarkedLines text={text} label={`robots.txt of ${origin}`} marks={marksOf(verdict)} />
      )}
    </div>
  );
}

function saidBy({ allowed, line, rule }: RobotsVerdict, path: string) {
  const shown = <Strange text={path} />;
  const why = line === undefined ? rule : `line ${line}`;
  if (!allowed)
    return (
      <>
        {shown} is forbidden{why === undefined ? '' : ` by ${why}`}.
      </>
    );
  return (
    <>
      {shown} is allowed{why === undefined ? ': no rule is against it' : ` by ${why}`}.
    </>
  );
}

function delayOf({ delay_ms: ms, delay_line: line }: RobotsVerdict): string {
  if (ms === undefined) return 'none for us';
  return `${sayTime(ms)}${line === undefined ? '' : `, line ${line}`}`;
}

function marksOf(verdict: RobotsVerdict | undefined): Marks {
  const marks = new Map<number, string>();
  for (const line of verdict?.agent_lines ?? []) marks.set(line, 'speaks to us');
  if (verdict?.delay_line !== undefined) marks.set(verdict.delay_line, 'delay');
  if (verdict?.line !== undefined) marks.set(verdict.line, verdict.allowed ? 'allows' : 'forbids');
  return marks;
}
