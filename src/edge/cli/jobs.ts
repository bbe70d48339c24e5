/**
 * `orb jobs`: what was asked of a crawl while it runs (A1), and a word on it: pause, resume,
 * cancel. A folder at rest lists its jobs; they go on when it is served again.
 */
import { exitCode, type Refusal, type Resolution } from '../../config/index.ts';
import type { Job, JobAct } from '../../crawl/job-view.ts';
import { withAnswers } from './folder.ts';
import { formatBytes, formatNumber, jsonLine, many, safeText } from './format.ts';
import { withOutput } from './rows.ts';
import type { World } from './world.ts';

const ACTS: readonly string[] = ['pause', 'resume', 'cancel'] satisfies JobAct[];
const NAME_SHOWN = 60;

export async function jobsCommand(resolution: Resolution, world: World): Promise<number | Refusal> {
  const { settings, seeds: words } = resolution;
  if (words.length > 0) return steerCommand(resolution, world);
  const jobs = await withAnswers(settings, world, (answers) => answers.jobs());
  const { json } = settings.output;
  const text = jobs.map(json ? (job) => jsonLine(jobJson(job)) : jobText).join('');
  await withOutput(settings, world, (output) => output.write(text));
  return exitCode('complete');
}

async function steerCommand(resolution: Resolution, world: World): Promise<number | Refusal> {
  const { settings, seeds: words } = resolution;
  const [act = '', given = ''] = words;
  if (!ACTS.includes(act) || !/^\d{1,9}$/.test(given)) return { mistakes: [WRONG_WORDS] };
  const steered = await withAnswers(settings, world, (answers) =>
    answers.steerJob({ id: Number(given), act: act as JobAct }),
  );
  if ('refused' in steered) {
    world.stderr.write(`${safeText(steered.reason, 500)}\n`);
    return exitCode('failed');
  }
  const { job } = steered;
  const text = settings.output.json ? jsonLine(jobJson(job)) : jobText(job);
  await withOutput(settings, world, (output) => output.write(text));
  return exitCode('complete');
}

const WRONG_WORDS = {
  code: 'E_USAGE',
  message: 'That is no word on a job.',
  hint: 'Write: orb jobs, or orb jobs pause 3, orb jobs resume 3, orb jobs cancel 3',
} as const;

function jobText(job: Job): string {
  const { id, name, state, endedBy, counts } = job;
  const by = endedBy === undefined || endedBy === state ? '' : ` (${endedBy.replace('_', ' ')})`;
  const { fetched, failed, skipped, held, bytes } = counts;
  const parts = [`${formatNumber(fetched)} fetched (${formatBytes(bytes)})`];
  parts.push(`${formatNumber(counts.waiting + counts.retrying)} waiting`);
  if (held > 0) parts.push(`${formatNumber(held)} held`);
  if (failed > 0) parts.push(`${formatNumber(failed)} failed`);
  if (skipped > 0) parts.push(`${formatNumber(skipped)} skipped`);
  const limit = job.limits.pages === undefined ? '' : `, at most ${many(job.limits.pages, 'page')}`;
  const line = `${String(id).padStart(4)}  ${`${state}${by}`.padEnd(10)} ${safeText(name, NAME_SHOWN)}`;
  return `${line}\n      ${parts.join(', ')}${limit}\n`;
}

function jobJson(job: Job): object {
  const at = (instant: number | undefined) =>
    instant === undefined ? undefined : new Date(instant).toISOString();
  const { createdAt, pausedAt, endedAt, limits } = job;
  return {
    ...{ ...job, createdAt: at(createdAt), pausedAt: at(pausedAt), endedAt: at(endedAt) },
    limits: { ...limits, until: at(limits.until) },
  };
}
