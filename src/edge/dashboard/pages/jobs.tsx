/** Jobs: what was asked for, how far it is, and the three things that can be done to it. */
import { useState } from 'preact/hooks';
import { sayBytes, sayCount } from '../../../plan/index.ts';
import type { Job } from './api-types.ts';
import { post } from './ask.ts';
import { Confirm } from './dialog.tsx';
import { Loading, Notice, Title, Trouble, When } from './parts.tsx';
import { Strange, visible } from './strange.tsx';
import { useAsked, useDoing } from './use.ts';
import { JOB_STATE_WORDS, sayMany } from './words.ts';

const POLL_MS = 1_000;
const JOBS_SHOWN = 20;
const LEAD = 'Jobs share one queue and one politeness: two of them never ask a host more often.';

interface List {
  readonly jobs: readonly Job[];
  readonly next_cursor?: string;
}

export function Jobs() {
  /** Where each slice begins, up to the one that is shown. */
  const [places, setPlaces] = useState<readonly string[]>([]);
  const { value, problem, again } = useAsked<List>(pathOf(places.at(-1)), POLL_MS);
  const jobs = value?.jobs ?? [];
  const older = value?.next_cursor;
  const isAll = places.length === 0 && older === undefined;
  const isNothing = isAll && jobs.every(({ counts }) => counts.named === 0);
  return (
    <>
      <Title name="Jobs" lead={LEAD} />
      <p>
        <a class="button" href="#/start">
          Start a job
        </a>
      </p>
      {problem !== undefined && <Trouble problem={problem} again={again} />}
      {value === undefined && problem === undefined && <Loading what="the jobs" />}
      {value !== undefined && isNothing && (
        <Notice title="No job was started yet.">
          <p>A job is a list of addresses to begin with, and how far to go from them.</p>
        </Notice>
      )}
      {value !== undefined && !isNothing && (
        <ul class="jobs">
          {jobs.map((job) => (
            <JobRow key={job.job_id} job={job} onChanged={again} />
          ))}
        </ul>
      )}
      {!isAll && (
        <nav class="buttons" aria-label="Slices of the list">
          <button
            type="button"
            disabled={places.length === 0}
            onClick={() => setPlaces(places.slice(0, -1))}
          >
            Newer jobs
          </button>
          <button
            type="button"
            disabled={older === undefined}
            onClick={() => older !== undefined && setPlaces([...places, older])}
          >
            Older jobs
          </button>
        </nav>
      )}
    </>
  );
}

function pathOf(place: string | undefined): string {
  const cursor = place === undefined ? '' : `&cursor=${encodeURIComponent(place)}`;
  return `/jobs?limit=${JOBS_SHOWN}${cursor}`;
}

interface JobProps {
  readonly job: Job;
  readonly onChanged: () => void;
}

function JobRow({ job, onChanged }: JobProps) {
  const { counts, name, job_id: id } = job;
  const label = nameOf(job);
  return (
    <li class={`job ${job.state}`}>
      <div class="job-head">
        <h2>{name === '' || id === '0' ? label : <Strange text={name} />}</h2>
        <span class={`state ${job.state}`}>{JOB_STATE_WORDS[job.state]}</span>
        <Deeds {...{ job, label, onChanged }} />
      </div>
      {job.seeds === 0 && counts.named === 0 ? (
        <p class="quiet job-plan">It has no addresses of its own: the service began without any.</p>
      ) : (
        <JobFigures job={job} label={label} />
      )}
    </li>
  );
}

function JobFigures({ job, label }: { readonly job: Job; readonly label: string }) {
  const { counts } = job;
  return (
    <>
      <JobProgress job={job} label={label} />
      <dl class="job-counts">
        {COUNTS.map(([of, word]) => (
          <div key={of}>
            <dt>{word}</dt>
            <dd>{sayCount(counts[of])}</dd>
          </div>
        ))}
        <div>
          <dt>Bytes</dt>
          <dd>{sayBytes(counts.bytes)}</dd>
        </div>
      </dl>
      <p class="quiet job-plan">
        {planOf(job)} Begun <When at={job.created_at} />
        {job.ended_at !== undefined && (
          <>
            , ended <When at={job.ended_at} />
          </>
        )}
        {job.ended_by !== undefined && (ENDS[job.ended_by] ?? `: ${job.ended_by}`)}.
      </p>
    </>
  );
}

const COUNTS = [
  ['fetched', 'Fetched'],
  ['waiting', 'Waiting'],
  ['held', 'Held back'],
  ['failed', 'Failed'],
  ['skipped', 'Passed over'],
] as const;

const ENDS: Readonly<Record<string, string>> = {
  finished: ': nothing was left to do',
  page_limit: ': its limit of pages was reached',
  time_limit: ': its time was up',
  cancelled: ': somebody cancelled it',
};

function nameOf({ job_id: id, name, created_at: at }: Job): string {
  if (id === '0') return 'The crawl itself';
  return name === '' ? `Job of ${at.slice(0, 16).replace('T', ' ')}` : visible(name);
}

function planOf({ seeds, priority, scope, crawl_depth: depth, limits }: Job): string {
  const parts = [`${sayMany(seeds, 'seed')}, ${priority} priority, scope ${scope}`];
  if (depth !== undefined) parts.push(`${sayMany(depth, 'link')} deep`);
  if (limits.pages !== undefined) parts.push(`${sayMany(limits.pages, 'page')} at most`);
  if (limits.until !== undefined) {
    parts.push(`until ${limits.until.slice(0, 16).replace('T', ' ')} UTC`);
  }
  return `${parts.join(', ')}.`;
}

/** Of its limit where it has one, of what it has named so far where not. */
function JobProgress({ job, label }: { readonly job: Job; readonly label: string }) {
  const { fetched, failed, skipped, named } = job.counts;
  const { pages } = job.limits;
  const done = fetched + failed + (pages === undefined ? skipped : 0);
  const all = pages ?? named;
  const said =
    pages === undefined
      ? `${sayCount(done)} of ${sayMany(all, 'known URL')} done`
      : `${sayCount(done)} of ${sayMany(all, 'page')}`;
  return (
    <div class="job-progress">
      <progress
        max={Math.max(1, all)}
        value={Math.min(done, all)}
        aria-label={`${label}: ${said}`}
      />
      <span>{said}</span>
    </div>
  );
}

type Deed = 'pause' | 'resume' | 'cancel';

function Deeds({ job, label, onChanged }: JobProps & { readonly label: string }) {
  const [isAsking, setIsAsking] = useState(false);
  const doing = useDoing<Job>(() => {
    setIsAsking(false);
    onChanged();
  });
  const act = (deed: Deed) =>
    void doing.act(() => post<Job>(`/jobs/${encodeURIComponent(job.job_id)}/${deed}`));
  const { state } = job;
  if (state === 'done' || state === 'cancelled') return null;
  return (
    <div class="buttons">
      {doing.problem !== undefined && !isAsking && <Trouble problem={doing.problem} />}
      <button
        type="button"
        disabled={doing.isBusy}
        onClick={() => act(state === 'paused' ? 'resume' : 'pause')}
      >
        {state === 'paused' ? 'Resume' : 'Pause'}
        <span class="unseen"> {label}</span>
      </button>
      {job.job_id !== '0' && (
        <button type="button" onClick={() => setIsAsking(true)}>
          Cancel<span class="unseen"> {label}</span>…
        </button>
      )}
      {isAsking && (
        <Confirm
          {...{ title: 'Cancel this job?', deed: 'Cancel the job' }}
          {...{ isBusy: doing.isBusy, problem: doing.problem }}
          onDo={() => act('cancel')}
          onClose={() => {
            setIsAsking(false);
            doing.clear();
          }}
        >
          <p>{label}</p>
          <p>
            What it has fetched stays. The {sayMany(job.counts.waiting, 'URL')} that wait for it are
            dropped, and it cannot be resumed.
          </p>
        </Confirm>
      )}
    </div>
  );
}
