/**
 * Server-sent events, read by hand: EventSource cannot send a token.
 *
 * Takes text as it comes, in pieces of any length, and gives whole events.
 */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/** No event of ours is near it; beyond it somebody else is talking. */
const CHARS_MAX = 1_000_000;

export class EventReader {
  #rest = '';

  read(text: string): readonly StreamEvent[] {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    if (this.#rest.length > CHARS_MAX) throw new RangeError('an event has no end');
    return blocks.map(eventOf).filter(({ data }) => data !== '');
  }
}

function eventOf(block: string): StreamEvent {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) event = line.slice(6).trim();
    else if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
  }
  return { event, data: data.join('\n') };
}
