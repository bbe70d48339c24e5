import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { openTerminal, type TerminalStream } from './terminal.ts';

const ESC = '\u001b';
const OBEYED = new RegExp(`${ESC}\\[(\\d+)A\\r|(${ESC}\\[J)|([^${ESC}\\n]*)\\n`, 'g');

/** A screen that obeys what the view writes, and wraps as terminals do. */
class Screen extends EventEmitter implements TerminalStream {
  readonly isTTY: boolean;
  columns = 40;
  rows = 24;
  readonly writes: string[] = [];
  #lines: string[] = [''];

  constructor(isTTY = true) {
    super();
    this.isTTY = isTTY;
  }

  write(text: string): void {
    this.writes.push(text);
    for (const [, up, erase, line] of text.matchAll(OBEYED)) {
      if (up !== undefined) this.#up(Number(up));
      else if (erase === undefined) this.#put(line ?? '');
    }
  }

  /** What a person sees, empty foot left out. */
  get seen(): string[] {
    return this.#lines.slice(0, -1);
  }

  /** Lines wider than the new width are wrapped, as most terminals do. */
  resize(columns: number): void {
    this.columns = columns;
    const old = this.seen;
    this.#lines = [''];
    for (const line of old) this.#put(line);
    this.emit('resize');
  }

  #up(rows: number): void {
    this.#lines.splice(Math.max(0, this.#lines.length - 1 - rows));
    this.#lines.push('');
  }

  #put(line: string): void {
    this.#lines.pop();
    for (let at = 0; at === 0 || at < line.length; at += this.columns) {
      this.#lines.push(line.slice(at, at + this.columns));
    }
    this.#lines.push('');
  }
}

test('terminal: a second drawing takes the place of the first, taller or shorter', () => {
  const screen = new Screen();
  const terminal = openTerminal(screen);
  terminal.draw(['a', 'b'], 0);
  terminal.draw(['c', 'd', 'e'], 1_000);
  assert.deepEqual(screen.seen, ['c', 'd', 'e']);
  terminal.draw(['f'], 2_000);
  assert.deepEqual(screen.seen, ['f']);
});

test('terminal: it is drawn at most five times a second of the time given', () => {
  const screen = new Screen();
  const terminal = openTerminal(screen);
  for (let now = 0; now <= 1_000; now += 10) terminal.draw([String(now)], now);
  assert.equal(screen.writes.length, 6);
  assert.deepEqual(screen.seen, ['1000']);
});

test('terminal: a printed line stands above the block and stays', () => {
  const screen = new Screen();
  const terminal = openTerminal(screen);
  terminal.draw(['view'], 0);
  terminal.print('log 1');
  terminal.print('log 2');
  assert.deepEqual(screen.seen, ['log 1', 'log 2', 'view']);
  terminal.close();
  assert.deepEqual(screen.seen, ['log 1', 'log 2']);
});

test('terminal: after close nothing is drawn and nobody listens for a resize', () => {
  const screen = new Screen();
  const terminal = openTerminal(screen);
  terminal.draw(['view'], 0);
  terminal.close();
  terminal.draw(['late'], 9_000);
  assert.deepEqual(screen.seen, []);
  assert.equal(screen.listenerCount('resize'), 0);
});

test('terminal: when it becomes narrow, wrapped lines are cleared and drawn to fit', () => {
  const screen = new Screen();
  const terminal = openTerminal(screen);
  terminal.print('log');
  terminal.draw(['x'.repeat(35), 'short'], 0);
  screen.resize(10);
  assert.deepEqual(screen.seen, ['log', `${'x'.repeat(8)}…`, 'short']);
});

test('terminal: lines longer than the width are cut, blocks higher than the screen too', () => {
  const screen = new Screen();
  screen.rows = 4;
  const terminal = openTerminal(screen);
  assert.equal(terminal.width, 39);
  terminal.draw(['y'.repeat(100), 'b', 'c', 'd', 'e'], 0);
  assert.deepEqual(screen.seen, [`${'y'.repeat(38)}…`, 'b', 'c']);
});

test('no terminal: nothing is drawn, printed lines go through as they are', () => {
  const screen = new Screen(false);
  const terminal = openTerminal(screen);
  terminal.draw(['view'], 0);
  terminal.clear();
  assert.deepEqual(screen.writes, []);
  terminal.print('log');
  terminal.close();
  assert.deepEqual(screen.writes, ['log\n']);
  assert.deepEqual([terminal.isLive, terminal.color], [false, false]);
});

test('dumb, quiet and colourless terminals are each taken at their word', () => {
  assert.equal(openTerminal(new Screen(), { term: 'dumb' }).isLive, false);
  const quiet = openTerminal(new Screen(), { live: false });
  assert.deepEqual([quiet.isLive, quiet.color], [false, true]);
  const plain = openTerminal(new Screen(), { color: false });
  assert.deepEqual([plain.isLive, plain.color], [true, false]);
});
