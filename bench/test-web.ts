/** The test web (testweb/main.ts) as a process, on a core of its own, and its desk. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pinned } from './in-child.ts';

export interface TestWeb {
  readonly pid: number;
  readonly start: string;
  readonly dnsPort: number;
  /** Asks the desk, e.g. `/judge.json?scope=any` (testweb/control.ts). */
  ask(path: string): Promise<Response>;
  close(): Promise<void>;
}

export async function openTestWeb(
  flags: readonly string[],
  cores: string | undefined,
): Promise<TestWeb> {
  const script = fileURLToPath(new URL('../testweb/main.ts', import.meta.url));
  const command = pinned(cores, [process.execPath, script, '--parent', ...flags]);
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const first = once(createInterface({ input: child.stdout }), 'line');
  const said = await Promise.race([first, ended.then(() => undefined)]);
  if (said === undefined) throw new Error('the test web did not start');
  const { pid, start, dnsPort, controlPort } = JSON.parse(said[0] as string);
  return {
    ...{ pid, start, dnsPort },
    ask: (path) => fetch(`http://127.0.0.1:${controlPort}${path}`),
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
