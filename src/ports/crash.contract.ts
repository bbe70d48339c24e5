/**
 * kill -9 for contracts: a child that works for ever and reports each finished step as a line,
 * and a parent that kills it after so many lines, in the middle of whatever it then does.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * Runs `script` until it has reported `steps` lines and kills it with SIGKILL; answers how many
 * it had reported by then, which may be more.
 */
export async function killAfter(
  steps: number,
  script: URL,
  args: readonly string[],
): Promise<number> {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let reported = 0;
  for await (const _ of createInterface({ input: child.stdout })) {
    reported++;
    if (reported === steps) child.kill('SIGKILL');
  }
  const [, signal] = await exited;
  if (signal === 'SIGKILL') return reported;
  throw new Error(`the child ended by itself after ${reported} steps of ${steps}`);
}

/** The child's side: does step 0, 1, 2 … and reports each when it is done, until killed. */
export async function stepUntilKilled(step: (nth: number) => Promise<unknown>): Promise<never> {
  for (let nth = 0; ; nth++) {
    await step(nth);
    process.stdout.write(`${nth}\n`);
  }
}
