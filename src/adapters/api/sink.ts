/**
 * A stream to a client that may not read: what it has not taken is counted, and beyond the
 * bound the client is cut off. The kernel holds some more; that is not our memory.
 */
import type { ServerResponse } from 'node:http';
import type { WebAnswer, WebSink, WebStream } from '../../ports/web-server.ts';

export const UNREAD_BYTES_MAX = 256 * 1024;

/** Takes the response over until one of the two sides ends it. */
export function stream(response: ServerResponse, answer: WebAnswer, begin: WebStream): void {
  response.writeHead(answer.status, { ...answer.headers });
  response.flushHeaders();
  let isOver = false;
  const sink: WebSink = {
    write(text) {
      if (isOver || response.destroyed) return false;
      response.write(text);
      if (response.writableLength <= UNREAD_BYTES_MAX) return true;
      response.destroy();
      return false;
    },
    end: () => response.end(),
  };
  const leave = begin(sink);
  response.once('close', () => {
    isOver = true;
    leave();
  });
  // A client that is gone is told of by 'close'.
  response.on('error', () => undefined);
}
