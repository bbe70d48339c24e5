/** Questions to owners of arcs (ring-calls.ts; the promises of ports/ring-calls.ts). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotOurs } from '../ports/tenures.ts';
import { closeAll, MemoryNet, ownerOf, ringOf, type TestNode, until } from './ring-node.testkit.ts';

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();
const bytes = (it: string) => Buffer.from(it);

/** Each answers with its address and what it was asked. */
function serveAll(nodes: readonly TestNode[], heard: string[] = []): string[] {
  for (const { node } of nodes) {
    node.serve('book', async (question, arc) => {
      heard.push(`${arc} ${text(question)}`);
      return bytes(`${node.me.at} ${text(question)}`);
    });
  }
  return heard;
}

test('ring calls: whoever asks is answered by the owner, itself among them', async () => {
  const net = new MemoryNet('calls');
  const nodes = await ringOf(net, 'a', 'b', 'c');
  serveAll(nodes);
  for (const arc of [0, 17, 40, 63]) {
    for (const { node } of nodes) {
      const answer = text(await node.askOwner(arc, 'book', bytes('who?')));
      assert.equal(answer, `${ownerOf(nodes, arc).node.me.at} who?`);
    }
  }
  await closeAll(nodes);
});

test('ring calls: questions about an arc come in order, each after the answer before', async () => {
  const net = new MemoryNet('order');
  const nodes = await ringOf(net, 'a', 'b', 'c');
  const owner = ownerOf(nodes, 5);
  const asker = nodes.find((one) => one !== owner) as TestNode;
  let [open, most] = [0, 0];
  const heard: string[] = [];
  owner.node.serve('mentions', async (question) => {
    most = Math.max(most, ++open);
    await net.clock.sleepUntil(net.clock.now() + 50);
    heard.push(text(question));
    open--;
    return question;
  });
  const words = [...'abcdefgh'];
  await Promise.all(words.map((word) => asker.node.askOwner(5, 'mentions', bytes(word))));
  assert.deepEqual([heard, most], [words, 1]);
  await closeAll(nodes);
});

test('ring calls: the owner dies under a question: the next one answers it', async () => {
  const net = new MemoryNet('owner dies');
  const nodes = await ringOf(net, 'a', 'b', 'c');
  const owner = ownerOf(nodes, 33);
  const others = nodes.filter((one) => one !== owner);
  const [asker] = others as [TestNode];
  serveAll(others);
  let wasAsked = false;
  owner.node.serve('book', () => {
    wasAsked = true;
    return new Promise(() => {});
  });
  const answer = asker.node.askOwner(33, 'book', bytes('still there?'));
  await until(net, 'it was asked', () => wasAsked);
  await owner.node.close();
  assert.match(text(await answer), /still there\?$/);
  await closeAll(others);
});

test('ring calls: who finds that the arc is not its own any more is not believed', async () => {
  const net = new MemoryNet('not ours');
  const nodes = await ringOf(net, 'a', 'b');
  const owner = ownerOf(nodes, 8);
  const asker = nodes.find((one) => one !== owner) as TestNode;
  let asked = 0;
  owner.node.serve('book', async (question) => {
    if (++asked < 3) throw new NotOurs([8]);
    return question;
  });
  assert.equal(text(await asker.node.askOwner(8, 'book', bytes('x'))), 'x');
  assert.equal(asked, 3);
  await closeAll(nodes);
});

test('ring calls: a question that is asked again while it is answered is answered once', async () => {
  const net = new MemoryNet('slow');
  const nodes = await ringOf(net, 'a', 'b');
  const owner = ownerOf(nodes, 8);
  const asker = nodes.find((one) => one !== owner) as TestNode;
  let asked = 0;
  owner.node.serve('book', async (question) => {
    asked++;
    await net.clock.sleepUntil(net.clock.now() + 15_000);
    return question;
  });
  assert.equal(text(await asker.node.askOwner(8, 'book', bytes('x'))), 'x');
  assert.equal(asked, 1);
  await closeAll(nodes);
});

test('ring calls: a node that is asked itself answers, or is silent for so long', async () => {
  const net = new MemoryNet('node');
  const nodes = await ringOf(net, 'a', 'b');
  const [a, b] = nodes as [TestNode, TestNode];
  const heard = serveAll(nodes);
  assert.equal(text(await a.node.askNode(b.node.me, 'book', bytes('you?'))), 'b:1 you?');
  assert.equal(text(await a.node.askNode(a.node.me, 'book', bytes('I?'))), 'a:1 I?');
  assert.deepEqual(heard, ['undefined you?', 'undefined I?']);
  net.cut(b.node.me.id);
  const from = net.clock.now();
  assert.equal(await a.node.askNode(b.node.me, 'book', bytes('still?')), undefined);
  assert.ok(net.clock.now() - from <= 5_000);
  await closeAll(nodes);
});

test('ring calls: what waits for an answer is told when the node is closed', async () => {
  const net = new MemoryNet('closed');
  const nodes = await ringOf(net, 'a', 'b');
  const owner = ownerOf(nodes, 8);
  const asker = nodes.find((one) => one !== owner) as TestNode;
  owner.node.serve('book', () => new Promise(() => {}));
  const asking = assert.rejects(asker.node.askOwner(8, 'book', bytes('x')), /closed/);
  await net.clock.sleepUntil(net.clock.now() + 100);
  await asker.node.close();
  await asking;
  await assert.rejects(asker.node.askOwner(8, 'book', bytes('x')), /closed/);
  await closeAll([owner]);
});

test('ring calls: who has little time waits for no other question, and gives up in time', async () => {
  const net = new MemoryNet('little time');
  const nodes = await ringOf(net, 'a', 'b', 'c');
  const owner = ownerOf(nodes, 8);
  const others = nodes.filter((one) => one !== owner);
  const [asker] = others as [TestNode];
  serveAll(nodes);
  owner.node.serve('mentions', () => new Promise(() => {}));
  const slow = assert.rejects(asker.node.askOwner(8, 'mentions', bytes('slow')), /closed/);
  const from = net.clock.now();
  assert.match(text(await asker.node.tryOwner(8, 'book', bytes('x'), 1_500)), / x$/);
  assert.ok(net.clock.now() - from < 100, `${net.clock.now() - from} ms`);

  await owner.node.close();
  const late = net.clock.now();
  assert.equal(await asker.node.tryOwner(8, 'book', bytes('x'), 1_500), undefined);
  assert.ok(net.clock.now() - late < 3_000, `${net.clock.now() - late} ms`);
  await until(net, 'it has another owner', () => ownerOf(others, 8) !== undefined);
  assert.match(text(await asker.node.tryOwner(8, 'book', bytes('y'), 1_500)), / y$/);
  await closeAll(others);
  await slow;
});
