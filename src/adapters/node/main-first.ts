/**
 * The main thread before all others of this process (A1): it answers people. Blocks that are
 * compressed, tables that the store merges and garbage that is looked for take their threads'
 * time, and where a core is shared with them a request would wait for them, too.
 *
 * On Linux a thread has a priority of its own, and may lower it without leave; elsewhere nothing
 * happens. Threads that begin later are found at the next look.
 */
import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';

export const BEHIND = 10;
const LOOK_MS = 2_000;

export function keepMainFirst(): { stop(): void } {
  const looking = setInterval(lookAtThreads, LOOK_MS);
  looking.unref();
  lookAtThreads();
  return { stop: () => clearInterval(looking) };
}

function lookAtThreads(): void {
  for (const thread of threads()) {
    try {
      if (thread !== process.pid) setPriority(thread, BEHIND);
    } catch {
      // It has ended in between.
    }
  }
}

/** Of this process, the main one among them; none where the system does not tell. */
export function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [];
  }
}
