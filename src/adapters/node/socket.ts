/**
 * A socket in a crawl's folder, through which the running crawl answers (A4).
 *
 *   serveAnswers(dir, answers)                                 askAnswers(dir) → Answers
 *     └ socket-serve.ts ──────── DIR/orb.sock ──────────────── socket-ask.ts ┘
 *         └ socket-wire.ts       (socket-place.ts)             socket-wire.ts ┘
 */
import type { Answers } from '../../crawl/answers.ts';
import { askSocket } from './socket-ask.ts';
import { type SocketServer, serveSocket } from './socket-serve.ts';
import { answerRequest, answersOver } from './socket-wire.ts';

/** For the owner of the folder alone: whatever socket was there is replaced. */
export function serveAnswers(dir: string, answers: Answers): Promise<SocketServer> {
  return serveSocket(dir, (request) => answerRequest(answers, request));
}

/** Undefined when no crawl runs in the folder. */
export async function askAnswers(
  dir: string,
): Promise<(Answers & { close(): Promise<void> }) | undefined> {
  const asker = await askSocket(dir);
  if (asker === undefined) return undefined;
  // Each question has its own connection, so there is nothing left to close.
  return { ...answersOver(asker.call), close: async () => undefined };
}
