/** What happened at a host: answers, failures and the pause it was owed, over time. */
import { sayCount, sayTime } from '../../../plan/index.ts';
import type { Fetch, HostHistory } from './api-types.ts';
import { Loading, Section, Trouble, When } from './parts.tsx';
import { FetchRows } from './tables.tsx';
import { useAsked } from './use.ts';
import { sayMany, sayWhole } from './words.ts';

const POLL_MS = 10_000;

export function HostHistoryPart({ name }: { readonly name: string }) {
  const path = `/hosts/${encodeURIComponent(name)}/history`;
  const { value, problem, again } = useAsked<HostHistory>(path, POLL_MS);
  return (
    <Section name="Timeline" note={value === undefined ? undefined : noteOf(value)}>
      {problem !== undefined && <Trouble problem={problem} again={again} />}
      {value === undefined && problem === undefined && (
        <div class="timeline-place">
          <Loading what="the log" />
        </div>
      )}
      {value !== undefined && value.fetches === 0 && (
        <p class="quiet">The log has nothing of this host.</p>
      )}
      {value !== undefined && value.fetches > 0 && (
        <>
          <Steps history={value} />
          <Latest fetches={value.latest} />
        </>
      )}
    </Section>
  );
}

function noteOf({ since, is_whole: isWhole, fetches }: HostHistory): preact.ComponentChild {
  if (fetches === 0) return undefined;
  if (isWhole) return `${sayMany(fetches, 'request')}, all there ever were`;
  return (
    <>
      {sayMany(fetches, 'request')} in the part of the log that was looked through, from{' '}
      <When at={since} /> on
    </>
  );
}

const HEIGHT = 64;

/** Bars of answers with failures on top, and under them the longest pause of each step. */
function Steps({ history: { steps, step_ms: stepMs } }: { readonly history: HostHistory }) {
  const most = Math.max(1, ...steps.map(({ fetched, failed }) => fetched + failed));
  const pauses = Math.max(1, ...steps.map((step) => step.pause_ms_max));
  const failures = steps.reduce((sum, { failed }) => sum + failed, 0);
  const label =
    `${sayCount(steps.length)} steps of ${sayTime(stepMs)}: up to ${sayMany(most, 'request')} ` +
    `each, ${sayMany(failures, 'failure')} in all, pauses of up to ${sayTime(pauses)}.`;
  const part = (value: number, of: number) => `${(HEIGHT * value) / of}px`;
  return (
    <div class="timeline" role="img" aria-label={label}>
      <div class="steps" aria-hidden="true">
        {steps.map(({ at, fetched, failed, pause_ms_max: pause }) => (
          <span key={at} class="step">
            <i class="bad" style={{ height: part(failed, most) }} />
            <i class="good" style={{ height: part(fetched, most) }} />
            <i class="pause" style={{ height: part(pause / 4, pauses) }} />
          </span>
        ))}
      </div>
      <p class="legend" aria-hidden="true">
        <span>
          <i class="good" /> answers
        </span>
        <span>
          <i class="bad" /> failures
        </span>
        <span>
          <i class="pause" /> longest pause, up to {sayTime(Math.round(pauses))}
        </span>
        <span class="quiet">
          {sayMany(most, 'request')} at most in {sayWhole(stepMs)}
        </span>
      </p>
    </div>
  );
}

function Latest({ fetches }: { readonly fetches: readonly Fetch[] }) {
  return (
    <details>
      <summary>The last {sayMany(fetches.length, 'request')}, one by one</summary>
      <FetchRows fetches={fetches} name="The last requests to this host" hasUrl />
    </details>
  );
}
