/**
 * The promises of the `AddressTurns` port, proved of any adapter.
 *
 *   addressTurnsContract('memory', openForTest)
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AddressTurns, Turn, TurnAnswer } from './address-turns.ts';

export interface AddressTurnsCase {
  /** One node's way to the engine. */
  readonly one: AddressTurns;
  readonly two: AddressTurns;
  readonly three: AddressTurns;
  /** Lets time go by for the engine. */
  pass(ms: number): Promise<void>;
  /** The engine loses its memory. */
  forget(): Promise<void>;
  /** How long it then gives no turn. */
  readonly forgetMs: number;
}

type Open = () => Promise<AddressTurnsCase>;

const HERE = '192.0.2.1';
const PAUSE_MS = 500;
/** An engine's clock and ours, and how long a call takes. */
const SLACK_MS = 60;
const LONG = { holdMs: 60_000, pauseMs: PAUSE_MS };
/** Time enough to come back, on a machine that has much else to do. */
const SLOW = { holdMs: 60_000, pauseMs: 4 * PAUSE_MS };

export function addressTurnsContract(name: string, open: Open): void {
  describe(`${name} address-turns`, () => {
    oneAtATime(open);
    rests(open);
    comesBack(open);
    forgets(open);
  });
}

function yours(answer: TurnAnswer): Turn {
  assert.equal(answer.kind, 'yours');
  return (answer as { turn: Turn }).turn;
}

function waitMs(answer: TurnAnswer): number {
  assert.equal(answer.kind, 'wait');
  return (answer as { waitMs: number }).waitMs;
}

function oneAtATime(open: Open): void {
  it('promise 1: many claim at once: one has it, and other addresses are not touched', async () => {
    const { one, two, three } = await open();
    const all = [one, two, three, one, two, three].map((node) => node.claim(HERE, LONG));
    const kinds = (await Promise.all(all)).map(({ kind }) => kind);
    assert.equal(kinds.filter((kind) => kind === 'yours').length, 1);
    assert.equal(kinds.filter((kind) => kind === 'wait').length, 5);
    for (const other of ['192.0.2.2', '2001:db8::1', '2001:db8::2']) {
      yours(await two.claim(other, LONG));
    }
  });

  it('promise 1: while it is held: nobody is sent away for longer than a pause', async () => {
    const { one, two } = await open();
    yours(await one.claim(HERE, LONG));
    const wait = waitMs(await two.claim(HERE, LONG));
    assert.ok(wait > 0 && wait <= PAUSE_MS, `${wait}`);
    assert.equal((await one.claim(HERE, LONG)).kind, 'wait', 'not even the one that has it');
  });

  it('promises 1 and 4: never heard of again: anybodys after its hold, not before', async () => {
    const { one, two, pass } = await open();
    yours(await one.claim(HERE, { ...LONG, holdMs: 2 * PAUSE_MS }));
    await pass(2 * PAUSE_MS - SLACK_MS);
    assert.ok(waitMs(await two.claim(HERE, LONG)) <= 2 * SLACK_MS);
    await pass(2 * SLACK_MS);
    yours(await two.claim(HERE, LONG));
  });
}

function rests(open: Open): void {
  it('promise 2: rested: nobody elses for so long, then anybodys', async () => {
    const { one, two, three, pass } = await open();
    await one.rest(yours(await one.claim(HERE, LONG)), PAUSE_MS);
    const wait = waitMs(await two.claim(HERE, LONG));
    assert.ok(wait > PAUSE_MS - SLACK_MS && wait <= PAUSE_MS + 1, `${wait}`);
    await pass(PAUSE_MS + SLACK_MS);
    const turn = yours(await two.claim(HERE, LONG));
    waitMs(await three.claim(HERE, LONG));
    await two.rest(turn, PAUSE_MS);
    waitMs(await one.claim(HERE, LONG));
  });

  it('promise 2: the node that asked last, nobody waiting: at once, by its own clock', async () => {
    const { one } = await open();
    for (let n = 0; n < 3; n++) await one.rest(yours(await one.claim(HERE, LONG)), PAUSE_MS);
  });

  it('promise 2: the node that asked last has lost its lease: it waits like all others', async () => {
    const { one } = await open();
    await one.rest(yours(await one.claim(HERE, LONG)), PAUSE_MS, true);
    assert.ok(waitMs(await one.claim(HERE, LONG)) > 0);
  });

  it('promise 2: nothing was sent: anybodys at once', async () => {
    const { one, two } = await open();
    await one.rest(yours(await one.claim(HERE, LONG)), 0);
    yours(await two.claim(HERE, LONG));
  });

  it('promise 3: rested after its hold: the next holder keeps it, and its rest counts', async () => {
    const { one, two, three, pass } = await open();
    const late = yours(await one.claim(HERE, { ...LONG, holdMs: PAUSE_MS }));
    await pass(PAUSE_MS + SLACK_MS);
    const turn = yours(await two.claim(HERE, LONG));
    await one.rest(late, 0);
    waitMs(await three.claim(HERE, LONG));
    await two.rest(turn, PAUSE_MS);
    await one.rest(late, 0);
    waitMs(await three.claim(HERE, LONG));
  });

  it('promise 3: rested after its hold, and nobody has it: it rests all the same', async () => {
    const { one, two, pass } = await open();
    const late = yours(await one.claim(HERE, { ...LONG, holdMs: PAUSE_MS }));
    await pass(PAUSE_MS + SLACK_MS);
    await one.rest(late, PAUSE_MS);
    waitMs(await two.claim(HERE, LONG));
  });
}

function comesBack(open: Open): void {
  it('promise 5: one asks again and again, another waits: it comes next, then they alternate', async () => {
    const { one, two, pass } = await open();
    let [turn, last, other] = [yours(await one.claim(HERE, SLOW)), one, two];
    for (let n = 0; n < 2; n++) {
      waitMs(await other.claim(HERE, SLOW));
      await last.rest(turn, SLOW.pauseMs);
      assert.ok(waitMs(await last.claim(HERE, SLOW)) > 0, 'somebody waits');
      waitMs(await other.claim(HERE, SLOW));
      await pass(SLOW.pauseMs + SLACK_MS / 2);
      assert.ok(waitMs(await last.claim(HERE, SLOW)) > 0, 'it is the other who comes next');
      turn = yours(await other.claim(HERE, SLOW));
      [last, other] = [other, last];
    }
  });

  it('promise 5: who waited does not come back: nobody waits for it long', async () => {
    const { one, two, pass } = await open();
    const turn = yours(await one.claim(HERE, LONG));
    waitMs(await two.claim(HERE, LONG));
    await one.rest(turn, PAUSE_MS);
    await pass(waitMs(await one.claim(HERE, LONG)) + SLACK_MS);
    yours(await one.claim(HERE, LONG));
  });
}

function forgets(open: Open): void {
  it('promise 6: its memory lost: nobodys at first, and what is held is held again', async () => {
    const { one, two, pass, forget, forgetMs } = await open();
    const turn = yours(await one.claim(HERE, LONG));
    await one.rest(yours(await one.claim('192.0.2.2', LONG)), 0);
    await forget();
    const waits = await Promise.all(
      [HERE, '192.0.2.2'].map(async (at) => waitMs(await one.claim(at, LONG))),
    );
    assert.ok(waits.every((wait) => wait > 0 && wait <= forgetMs));
    await pass(forgetMs + SLACK_MS);
    assert.ok(waitMs(await two.claim(HERE, LONG)) > 0, 'still held');
    yours(await two.claim('192.0.2.2', LONG));
    await one.rest(turn, 0);
    yours(await one.claim('192.0.2.3', LONG));
    await pass(PAUSE_MS);
    yours(await two.claim(HERE, LONG));
  });
}
