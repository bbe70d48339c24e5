/** The node of a ring that runs in a folder, asked through the folder's socket. */
import { askSocket } from './adapters/node/socket-ask.ts';
import { deskOver, type RingDesk } from './crawl/ring-desk.ts';

/** Undefined when nothing runs there; a crawl that is of no ring says so when it is asked. */
export async function askRing(dir: string): Promise<RingDesk | undefined> {
  const running = await askSocket(dir);
  return running && deskOver((request) => running.ask(request));
}
