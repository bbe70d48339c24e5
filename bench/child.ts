/**
 * The other end of in-child.ts: does one piece of work, answers, and ends. Its memory is kept as
 * the program's own is.
 */
import { optimiseLate } from '../src/adapters/node/late-optimising.ts';
import { keepMemorySmall } from '../src/adapters/node/small-memory.ts';
import type { Work } from './in-child.ts';
import { usageSoFar } from './measure.ts';

function send(message: object): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(message, () => resolve());
  });
}

keepMemorySmall();
optimiseLate();
process.once('disconnect', () => process.exit(1));
process.once('message', async ({ module, task }: { module: string; task: unknown }) => {
  try {
    const { work } = (await import(module)) as { work: Work<unknown, unknown> };
    const result = await work(task, (note) => void send({ kind: 'note', note }));
    await send({ kind: 'done', result, usage: usageSoFar() });
  } catch (error) {
    await send({ kind: 'failed', error: (error as Error).stack ?? String(error) });
  }
  process.exit();
});
await send({ kind: 'ready' });
