/**
 * Many crawls, a few at a time, each in a process beside the others:
 *
 *   this one ── task ──▶ ring-crawl-job.ts ── figures ──▶ this one, in the order of the tasks
 *
 * A crawl is all in its seed, so where it runs makes no difference. One that throws ends the whole
 * run, and is named.
 */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { CrawlFigures } from './ring-crawl-sum.ts';
import { type CrawlTask, doTask, type TaskDone } from './ring-crawl-task.ts';

const JOB = join(import.meta.dirname, 'ring-crawl-job.ts');

export async function* crawlAll(
  tasks: readonly CrawlTask[],
  jobs: number,
): AsyncGenerator<CrawlFigures> {
  const count = Math.min(jobs, tasks.length);
  if (count > 1) yield* inProcesses(tasks, count);
  else for (const task of tasks) yield figuresIn(task, doTask(task));
}

async function* inProcesses(
  tasks: readonly CrawlTask[],
  count: number,
): AsyncGenerator<CrawlFigures> {
  const work = new Work(tasks);
  const ends = Array.from({ length: count }, () => startJob(work));
  try {
    for (const [n, task] of tasks.entries()) yield figuresIn(task, await work.done(n));
  } finally {
    for (const end of ends) end();
  }
}

/** A process that takes one task after the other as long as any is left. */
function startJob(work: Work): () => void {
  const child = fork(JOB);
  let at: number | undefined;
  const next = () => {
    at = work.take();
    if (at === undefined) child.disconnect();
    else child.send(work.tasks[at] as CrawlTask);
  };
  const finish = (done: TaskDone) => {
    if (at !== undefined) work.finish(at, done);
  };
  child.on('message', (done: TaskDone) => {
    finish(done);
    next();
  });
  child.on('exit', (code, signal) => {
    finish({ error: `its process has ended with ${signal ?? code}` });
  });
  next();
  return () => child.kill();
}

/** Who has taken what, and what came of it. */
class Work {
  readonly tasks: readonly CrawlTask[];
  #taken = 0;
  readonly #done = new Map<number, TaskDone>();
  #wake = () => {};

  constructor(tasks: readonly CrawlTask[]) {
    this.tasks = tasks;
  }

  take(): number | undefined {
    return this.#taken < this.tasks.length ? this.#taken++ : undefined;
  }

  finish(n: number, done: TaskDone): void {
    this.#done.set(n, done);
    this.#wake();
  }

  async done(n: number): Promise<TaskDone> {
    for (;;) {
      const done = this.#done.get(n);
      this.#done.delete(n);
      if (done !== undefined) return done;
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
  }
}

function figuresIn({ seed, mode }: CrawlTask, done: TaskDone): CrawlFigures {
  if ('error' in done) throw new Error(`seed ${seed} (${mode}): ${done.error}`);
  return done;
}
