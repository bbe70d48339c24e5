/**
 * Load on the API, in a process of its own (api.ts): an open loop. Requests leave by a schedule,
 * whatever became of those before, and their time counts from the scheduled instant: a server
 * that stalls is not spared the requests that it kept from leaving. The first two seconds are
 * for warming up both sides, and not counted.
 */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from './measure.ts';

export interface LoadTask {
  readonly port: number;
  readonly paths: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
}

export interface LoadFigures {
  readonly answered: number;
  readonly errors: number;
  readonly wallSec: number;
  readonly bytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
}

const SOCKETS_MAX = 256;
const WARMUP_SECONDS = 2;

export async function work({ port, paths, perSecond, seconds }: LoadTask): Promise<LoadFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX });
  const load = new Load(port, paths, agent);
  await load.run(perSecond, WARMUP_SECONDS);
  load.forget();
  const startedAt = performance.now();
  await load.run(perSecond, seconds);
  const wallSec = (performance.now() - startedAt) / 1_000;
  agent.destroy();
  return { wallSec, ...load.figures() };
}

class Load {
  readonly #port: number;
  readonly #paths: readonly string[];
  readonly #agent: Agent;
  #times: number[] = [];
  #errors = 0;
  #bytes = 0;

  constructor(port: number, paths: readonly string[], agent: Agent) {
    this.#port = port;
    this.#paths = paths;
    this.#agent = agent;
  }

  async run(perSecond: number, seconds: number): Promise<void> {
    const open: Promise<void>[] = [];
    const startedAt = performance.now();
    while (open.length < perSecond * seconds) {
      const due = startedAt + (open.length * 1_000) / perSecond;
      const early = due - performance.now();
      if (early > 0) await sleep(Math.ceil(early));
      else open.push(this.#ask(this.#paths[open.length % this.#paths.length] as string, due));
    }
    await Promise.all(open);
  }

  forget(): void {
    this.#times = [];
    this.#errors = 0;
    this.#bytes = 0;
  }

  figures(): Omit<LoadFigures, 'wallSec'> {
    const times = this.#times.sort((a, b) => a - b);
    const [p50Ms = 0, p99Ms = 0, p999Ms = 0] = [0.5, 0.99, 0.999].map((p) => percentile(times, p));
    const maxMs = times.at(-1) ?? Number.NaN;
    const counts = { answered: times.length, errors: this.#errors, bytes: this.#bytes };
    return { ...counts, p50Ms, p99Ms, p999Ms, maxMs };
  }

  #ask(path: string, due: number): Promise<void> {
    return new Promise((resolve) => {
      const fail = () => {
        this.#errors++;
        resolve();
      };
      const asked = { host: '127.0.0.1', port: this.#port, path, agent: this.#agent };
      const sent = get(asked, (answer) => {
        answer.on('data', (chunk: Buffer) => {
          this.#bytes += chunk.length;
        });
        answer.on('error', fail).on('end', () => {
          if (answer.statusCode !== 200) return fail();
          this.#times.push(performance.now() - due);
          resolve();
        });
      });
      sent.on('error', fail);
    });
  }
}
