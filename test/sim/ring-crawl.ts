/**
 * Whole crawls on a ring of nodes that crash, freeze, are cut off, join and leave (D3 to D6, P5):
 *
 *   npm run sim -- ring-crawl [--nodes N] [--seed S] [--seeds COUNT] [--mode M] [--bug B] [--jobs J]
 *
 * One line a mode: what was covered and lost, what was asked twice, whether any host was asked
 * before its turn or two owners could act at once, and what the mode costs. J crawls at a time, as
 * many as there are cores unless it is said; that changes no figure. A crawl in which something is
 * wrong is named by its seed, and the command then fails; `async` promises nothing, and a planted
 * bug is meant to be noticed.
 */
import { availableParallelism } from 'node:os';
import { seatsFor } from '../../src/ring/arc-log.ts';
import { RING_RULES } from '../../src/ring/arc-state.ts';
import { Progress } from './progress.ts';
import { BUGS } from './ring-crawl-bugs.ts';
import { crawlAll } from './ring-crawl-jobs.ts';
import { MODES, type Mode } from './ring-crawl-once.ts';
import { Sum } from './ring-crawl-sum.ts';
import type { SimRow } from './run.ts';

/** With fewer there are not enough left to strike K − 1 of. */
const NODES_MIN = seatsFor(RING_RULES.copies);

export async function* run(args: readonly string[]): AsyncIterable<SimRow> {
  const { nodes, first, seeds, modes, jobs, ...planted } = optionsFrom(args);
  const failed: string[] = [];
  for (const mode of modes) {
    const tasks = Array.from({ length: seeds }, (_, n) => ({
      ...{ nodes, seed: String(first + n), mode, ...planted },
    }));
    const sum = new Sum(mode);
    const progress = new Progress(mode, seeds);
    for await (const figures of crawlAll(tasks, jobs)) {
      sum.add(figures);
      const { seed, wrong } = figures;
      const isWrong = wrong !== undefined && mode !== 'async';
      progress.step(isWrong ? `seed ${seed}: ${wrong}` : undefined);
      if (isWrong && planted.bug === undefined) failed.push(`${seed} (${mode})`);
    }
    progress.end();
    yield sum.row();
  }
  if (failed.length > 0) throw new Error(`something is wrong with seed ${failed.join(', ')}`);
}

function optionsFrom(args: readonly string[]) {
  const value = (name: string) => {
    const at = args.indexOf(name);
    return at < 0 ? undefined : args[at + 1];
  };
  const count = (name: string, usual: number, least = 1) => {
    const given = Number(value(name) ?? usual);
    if (Number.isInteger(given) && given >= least) return given;
    throw new RangeError(`${name} is a number from ${least} on, not ${value(name)}`);
  };
  const bug = value('--bug');
  if (bug !== undefined && !Object.hasOwn(BUGS, bug)) {
    throw new RangeError(`no such bug: ${bug}; there are ${Object.keys(BUGS).join(', ')}`);
  }
  const modes = (value('--mode') ?? Object.keys(MODES).join()).split(',');
  const isMode = (mode: string): mode is Mode => Object.hasOwn(MODES, mode);
  const unknown = modes.find((mode) => !isMode(mode));
  if (unknown !== undefined) throw new RangeError(`no such mode: ${unknown}`);
  return {
    nodes: count('--nodes', 12, NODES_MIN),
    first: count('--seed', 1),
    seeds: count('--seeds', 1),
    jobs: count('--jobs', availableParallelism()),
    modes: modes.filter(isMode),
    ...(bug === undefined ? {} : { bug }),
  };
}
