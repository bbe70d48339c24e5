/** The audit trail: whether it is as it was written, and its last lines. */
import { sayCount } from '../../../plan/index.ts';
import type { AuditLine, TrailVerdict } from './api-types.ts';
import { Loading, Notice, Section, Trouble, When } from './parts.tsx';
import { Strange } from './strange.tsx';
import { Scrolling } from './tables.tsx';
import { useAsked } from './use.ts';
import { sayMany, sentence } from './words.ts';

const LINES_SHOWN = 100;

export function Trail() {
  const { value, problem, again } = useAsked<TrailVerdict>('/audit/verify');
  return (
    <Section name="Audit trail" note="each line has the hash of the one before">
      {problem !== undefined && <Trouble problem={problem} again={again} />}
      {value === undefined && problem === undefined && <Loading what="the trail" />}
      {value !== undefined && (
        <>
          <Verdict verdict={value} again={again} />
          <Lines count={value.lines} />
        </>
      )}
    </Section>
  );
}

interface VerdictProps {
  readonly verdict: TrailVerdict;
  readonly again: () => void;
}

function Verdict({ verdict: { lines, pending, bad }, again }: VerdictProps) {
  const whole = lines === 0 ? 'Nothing was decided yet.' : 'The trail is as it was written.';
  const title = bad === undefined ? whole : `Line ${sayCount(bad.line)} is wrong.`;
  return (
    <div role="status">
      <Notice title={title} isBad={bad !== undefined}>
        {bad !== undefined && <p>{sentence(`it ${bad.problem}`)}</p>}
        {lines > 0 && bad === undefined && (
          <p>All {sayMany(lines, 'line')} follow from the ones before.</p>
        )}
        {pending > 0 && <p>{sayMany(pending, 'decision')} begun and not ended.</p>}
        <button type="button" onClick={again}>
          Verify again
        </button>
      </Notice>
    </div>
  );
}

function Lines({ count }: { readonly count: number }) {
  const after = Math.max(0, count - LINES_SHOWN);
  const path = `/audit?after=${after}&limit=${LINES_SHOWN}`;
  const { value } = useAsked<{ readonly lines: readonly AuditLine[] }>(path);
  const lines = [...(value?.lines ?? [])].reverse();
  if (lines.length === 0) return null;
  return (
    <Scrolling label="Lines of the audit trail">
      <table class="rows">
        <caption class="unseen">The last lines of the audit trail, newest first</caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              Line
            </th>
            <th scope="col">What</th>
            <th scope="col">Reason</th>
            <th scope="col" class="wide-only">
              By
            </th>
            <th scope="col" class="wide-only">
              When
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <LineRow key={line.seq} line={line} />
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

function LineRow({ line }: { readonly line: AuditLine }) {
  const { seq, action, phase, subject, reason, outcome, by, at } = line;
  const said = [reason, outcome ?? ''].filter((text) => text !== '').join(' · ');
  return (
    <tr>
      <td class="number">{sayCount(seq)}</td>
      <td>
        <span class={phase === 'refused' ? 'bad-text' : ''}>
          {action} <span class="quiet">{phase}</span>
        </span>{' '}
        <Strange text={String(subject.value ?? '')} />
      </td>
      <td>
        <Strange text={said} />
      </td>
      <td class="wide-only by">
        <Strange text={by} />
      </td>
      <td class="wide-only nowrap">
        <When at={at} />
      </td>
    </tr>
  );
}
