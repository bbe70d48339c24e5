/** What a driver may do that no broker can be made to do at will: never come back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../test/sim/clock.ts';
import type { Driver } from './driver.ts';
import { Sender } from './sender.ts';

test('sender: a producer that never answers: given up, and another one sends all of it', async () => {
  const sent: string[] = [];
  let made = 0;
  class Producer {
    readonly #nth = ++made;
    send({ messages }: { messages: readonly { value: Buffer }[] }): Promise<void> {
      if (this.#nth === 1) return new Promise(() => undefined);
      sent.push(...messages.map(({ value }) => `${value}`));
      return Promise.resolve();
    }
    async close(): Promise<void> {}
  }
  const driver = { Producer } as unknown as Driver;
  const clock = new VirtualClock();
  const troubles: unknown[] = [];
  const broker = { addresses: ['192.0.2.1:9092'], prefix: '' };
  const sender = new Sender(driver, broker, 'urls', clock, (error) => troubles.push(error));
  const messageOf = (text: string) => ({ partition: 0, key: 'a.test', value: Buffer.from(text) });
  const first = sender.send([messageOf('one')]);
  const next = sender.send([messageOf('two')]);
  await Promise.all([first, next]);
  assert.deepEqual(sent, ['one', 'two']);
  assert.deepEqual([made, troubles.length], [2, 1]);
  await sender.close();
});
