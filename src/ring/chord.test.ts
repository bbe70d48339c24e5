/**
 * One node of the ring, message by message: what it believes, what it does not, and its limits.
 * Histories of many nodes are in test/sim/ring.test.ts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { step } from './chord.ts';
import type { ChordEffect, ChordInput, ChordMessage, Peer } from './chord-message.ts';
import { CHORD_RULES, type Chord, chordMember, chordOut, ownRange } from './chord-state.ts';
import type { Position } from './id.ts';

const RULES = { ...CHORD_RULES, successors: 3 };
/** A node whose place is plain to see; ids and places are only tied on the wire. */
const peer = (n: number, at = `host${n}:1`): Peer => ({
  id: `node-${n}`,
  place: (n * 0x1000).toString(16).padStart(16, '0') as Position,
  at,
});
const key = (n: number) => (n * 0x1000 - 5).toString(16).padStart(16, '0') as Position;
const peers = [10, 20, 30, 40, 50, 60].map((n) => peer(n));
const got = (from: Peer, message: ChordMessage): ChordInput => ({ kind: 'got', from, message });
const member = (n: number, rules = RULES) => chordMember(peer(n), peers, rules);
const sends = (effects: readonly ChordEffect[]) =>
  effects.flatMap((effect) => (effect.kind === 'send' ? [effect] : []));
const placesOf = (list: readonly Peer[]) => list.map(({ id }) => Number(id.slice(5)));

/** A step and what it sent, as one value. */
function take(chord: Chord, input: ChordInput, now = 0) {
  const [next, effects] = step(chord, input, now);
  return { chord: next, effects, sent: sends(effects) };
}

/** Lets a few nodes talk until nobody has anything to say; silence is for those not in the map. */
function talk(chords: Map<string, Chord>, id: string, input: ChordInput): ChordEffect[] {
  const inbox: [string, ChordInput][] = [[id, input]];
  const told: ChordEffect[] = [];
  for (let turn = 0; inbox.length > 0; turn++) {
    assert.ok(turn < 1_000, 'talk ends');
    const [to, what] = inbox.shift() as [string, ChordInput];
    const chord = chords.get(to);
    if (chord === undefined) continue;
    const [next, effects] = step(chord, what, 0);
    chords.set(to, next);
    for (const effect of effects) {
      if (effect.kind === 'send') inbox.push([effect.to.id, got(chord.me, effect.message)]);
      else if (effect.kind === 'after' && effect.ms === 0) inbox.push([to, effect.input]);
      else told.push(effect);
    }
  }
  return told;
}

test('ring of one: it owns every key, and a joiner makes it a ring of two', () => {
  const [a, b] = [peer(10), peer(20)];
  const chords = new Map([
    [a.id, chordMember(a, [], RULES)],
    [b.id, chordOut(b, RULES)],
  ]);
  const [, found] = step(chords.get(a.id) as Chord, { kind: 'lookup', key: key(7), tag: 1 }, 0);
  assert.equal(found[0]?.kind === 'found' && found[0].found.owner.id, a.id);
  const told = talk(chords, b.id, { kind: 'join', via: [a] });
  assert.ok(told.some(({ kind }) => kind === 'joined'));
  assert.deepEqual(placesOf(chords.get(a.id)?.list ?? []), [20]);
  assert.deepEqual(placesOf(chords.get(b.id)?.list ?? []), [10]);
  assert.deepEqual(ownRange(chords.get(b.id) as Chord), { after: a.place, upTo: b.place });
});

test('join: the joiner has its successor and the whole of its list, at once', () => {
  const chords = new Map(peers.map((one) => [one.id, chordMember(one, peers, RULES)]));
  const joiner = peer(25);
  chords.set(joiner.id, chordOut(joiner, RULES));
  talk(chords, joiner.id, { kind: 'join', via: [peer(50)] });
  const { status, list, before } = chords.get(joiner.id) as Chord;
  assert.equal(status, 'member');
  assert.deepEqual(placesOf(list), [30, 40, 50]);
  assert.equal(before?.id, 'node-20');
});

test('join: nobody answers: it is told so, and may ask others', () => {
  let { chord, effects } = take(chordOut(peer(25), RULES), { kind: 'join', via: [peer(50)] });
  ({ chord, effects } = take(chord, { kind: 'late', n: chord.sent }, 600));
  assert.deepEqual(effects, [{ kind: 'refused', why: 'no-answer' }]);
  assert.equal(take(chord, { kind: 'join', via: [peer(10)] }).sent[0]?.to.id, 'node-10');
});

/** A joiner that was told by 20 that its own id is the next. */
function toldOfItself(at: string) {
  const me = peer(30);
  const asked = take(chordOut(me, RULES), { kind: 'join', via: [peer(20)] }).chord;
  const owners = [peer(30, at), peer(40), peer(50)];
  const way = { kind: 'way', n: asked.sent, owns: false, owners, nearer: [] } as const;
  return take(asked, got(peer(20), way));
}

test('two nodes with one id: the second is refused while the first is there', () => {
  const { chord, sent } = toldOfItself('elsewhere:1');
  assert.equal(sent[0]?.to.at, 'elsewhere:1');
  const list = { kind: 'list', n: chord.sent, list: peers.slice(3) } as const;
  const { effects } = take(chord, got(peer(30, 'elsewhere:1'), list));
  assert.deepEqual(effects, [{ kind: 'refused', why: 'id-taken' }]);
});

test('a node that comes back passes over what the ring remembers of it', () => {
  assert.equal(toldOfItself('host30:1').sent[0]?.to.id, 'node-40');
});

test('a node that comes back at another address joins behind the contact that showed the way', () => {
  const [a, former, b] = [peer(10), peer(20), peer(30)];
  const chords = new Map([a, b].map((one) => [one.id, chordMember(one, [a, former, b], RULES)]));
  const me = peer(20, 'elsewhere:1');
  chords.set(me.id, chordOut(me, RULES));
  // What is asked of its former address nobody answers; here it would come to the new one.
  talk(chords, me.id, { kind: 'join', via: [b] });
  const silences = RULES.tries;
  const told = Array.from({ length: silences }, () => {
    const n = chords.get(me.id)?.joining?.open?.n ?? 0;
    return talk(chords, me.id, { kind: 'late', n });
  }).flat();
  assert.ok(told.some(({ kind }) => kind === 'joined'));
  assert.deepEqual(placesOf(chords.get(me.id)?.list ?? []), [30, 10]);
});

test('a sender that claims our own place is not answered', () => {
  const chord = member(30);
  for (const message of [{ kind: 'notify' }, { kind: 'ask', n: 1 }] as const) {
    const heard = take(chord, got({ ...peer(30, 'elsewhere:1') }, message));
    assert.equal(heard.chord, chord);
    assert.deepEqual(heard.effects, []);
  }
});

test('stabilise: an answer with another number, or from another node, changes nothing', () => {
  const { chord } = take(member(10), { kind: 'stabilise' });
  const list = peers.slice(3);
  assert.equal(take(chord, got(peer(20), { kind: 'list', n: 99, list })).chord, chord);
  assert.equal(take(chord, got(peer(40), { kind: 'list', n: chord.sent, list })).chord, chord);
  const right = take(chord, got(peer(20), { kind: 'list', n: chord.sent, list })).chord;
  assert.deepEqual(placesOf(right.list), [20, 40, 50]);
  const again = take(right, got(peer(20), { kind: 'list', n: chord.sent, list: [] })).chord;
  assert.equal(again, right, 'and the same answer twice counts once');
});

test('stabilise: a list that turns back, repeats itself or goes round is cut there', () => {
  for (const list of [
    [peer(40), peer(30)],
    [peer(40), peer(40)],
    [peer(40), peer(10), peer(20)],
  ]) {
    const { chord } = take(member(10), { kind: 'stabilise' });
    const next = take(chord, got(peer(20), { kind: 'list', n: chord.sent, list })).chord;
    assert.deepEqual(placesOf(next.list), [20, 40]);
  }
});

test('stabilise: a nearer successor is asked first, and counts when it has answered', () => {
  const { chord } = take(member(10), { kind: 'stabilise' });
  const answer = { kind: 'list', n: chord.sent, before: peer(15), list: peers.slice(2) } as const;
  const told = take(chord, got(peer(20), answer));
  assert.equal(told.sent[0]?.to.id, 'node-15');
  assert.equal(told.chord.list[0]?.id, 'node-20');
  const silent = take(told.chord, { kind: 'late', n: told.chord.sent }, 600);
  assert.equal(silent.chord.list[0]?.id, 'node-20');
  assert.deepEqual(silent.sent, [{ kind: 'send', to: peer(20), message: { kind: 'notify' } }]);
  const list = { kind: 'list', n: told.chord.sent, list: peers.slice(1) } as const;
  const { chord: next } = take(told.chord, got(peer(15), list));
  assert.deepEqual(placesOf(next.list), [15, 20, 30]);
});

test('a silent successor is dropped after three tries; the next of the list is asked at once', () => {
  let { chord, effects } = take(member(10), { kind: 'stabilise' });
  for (let tries = 1; tries <= RULES.tries; tries++) {
    assert.equal(chord.list[0]?.id, 'node-20');
    ({ chord, effects } = take(chord, { kind: 'late', n: chord.sent }, 600 * tries));
  }
  assert.deepEqual(placesOf(chord.list), [30, 40]);
  assert.deepEqual(effects, [{ kind: 'after', ms: 0, input: { kind: 'stabilise' } }]);
});

test('a node that slept asks again: its own silence is nobody else’s death', () => {
  let { chord } = take(member(10), { kind: 'stabilise' });
  for (let i = 1; i < 10; i++) {
    ({ chord } = take(chord, { kind: 'late', n: chord.sent }, 60_000 * i));
  }
  assert.equal(chord.list[0]?.id, 'node-20');
});

test('a node whose successors all died turns to whom else it knows, then is alone', () => {
  let chord: Chord = { ...member(10), list: [peer(20)], fingers: [peer(50)], before: peer(60) };
  const seen: number[][] = [];
  for (let i = 0; i < 40; i++) {
    if (chord.stabilising === undefined) ({ chord } = take(chord, { kind: 'stabilise' }));
    else ({ chord } = take(chord, { kind: 'late', n: chord.sent }, 0));
    seen.push(placesOf(chord.list));
  }
  assert.ok(seen.some((list) => list.join() === '50,60'));
  assert.deepEqual(chord.list, []);
  assert.equal(ownRange(chord).after, ownRange(chord).upTo);
});

test('rectify: who is nearer is taken; who is not waits until the other kept silent', () => {
  const chord = member(30);
  assert.equal(take(chord, got(peer(25), { kind: 'notify' })).chord.before?.id, 'node-25');
  const asked = take(chord, got(peer(15), { kind: 'notify' }));
  assert.deepEqual(asked.sent[0]?.message, { kind: 'ping', n: asked.chord.sent });
  const alive = take(asked.chord, got(peer(20), { kind: 'pong', n: asked.chord.sent }));
  assert.equal(alive.chord.before?.id, 'node-20');
  let dead = asked.chord;
  for (let i = 0; i < RULES.tries; i++) dead = take(dead, { kind: 'late', n: dead.sent }, 0).chord;
  assert.equal(dead.before?.id, 'node-15');
});

test('leaving: both neighbours act as if its silence had been waited out', () => {
  const { sent, chord } = take(member(20), { kind: 'leave' });
  assert.deepEqual(placesOf(sent.map(({ to }) => to)), [30, 10]);
  const after = take(member(30), got(peer(20), sent[0]?.message as ChordMessage)).chord;
  assert.equal(after.before?.id, 'node-10');
  const before = take(member(10), got(peer(20), sent[1]?.message as ChordMessage)).chord;
  assert.deepEqual(placesOf(before.list), [30, 40]);
  assert.equal(take(chord, got(peer(10), { kind: 'ask', n: 4 })).sent.length, 0, 'it is gone');
});

test('lookup: an owner that answered of late is asked first, and costs one hop', () => {
  const chords = new Map(peers.map((one) => [one.id, chordMember(one, peers, RULES)]));
  const hops = [1, 2].map((tag) => {
    const [end] = talk(chords, 'node-10', { kind: 'lookup', key: key(50), tag }).slice(-1);
    assert.ok(end?.kind === 'found');
    assert.equal(end.found.owner.id, 'node-50');
    return end.found.hops;
  });
  assert.deepEqual(hops, [2, 1]);
});

test('lookup: a remembered owner that is gone costs its silence, not the answer', () => {
  const chords = new Map(peers.map((one) => [one.id, chordMember(one, peers, RULES)]));
  const found = { key: key(50), owner: peer(55), hops: 1, at: 0 };
  const range = { after: peer(45).place, upTo: peer(55).place };
  chords.set('node-10', { ...member(10), owners: [{ ...found, range }] });
  talk(chords, 'node-10', { kind: 'lookup', key: key(50), tag: 1 });
  const n = chords.get('node-10')?.sent ?? 0;
  const end = talk(chords, 'node-10', { kind: 'late', n }).at(-1);
  assert.equal(end?.kind === 'found' && end.found.owner.id, 'node-50');
  assert.ok(!chords.get('node-10')?.owners.some(({ owner }) => owner.id === 'node-55'));
});

test('lookup: nobody but members asks, and no more at once than the limit', () => {
  const asking = { kind: 'lookup', key: key(50), tag: 1 } as const;
  const out = take(chordOut(peer(10), RULES), asking).effects;
  assert.deepEqual(out, [{ kind: 'unfound', tag: 1, why: 'out' }]);
  let chord = member(10, { ...RULES, lookupsMax: 5 });
  for (let i = 0; i < 5; i++) ({ chord } = take(chord, asking));
  const over = take(chord, asking);
  assert.deepEqual(over.effects, [{ kind: 'unfound', tag: 1, why: 'busy' }]);
  assert.equal(over.chord.lookups.length, 5);
});

test('lookup: an answer that leads away from the key is not followed', () => {
  const { chord } = take(member(10), { kind: 'lookup', key: key(60), tag: 1 });
  const asked = chord.lookups[0]?.open?.to as Peer;
  const lies = { kind: 'way', n: chord.sent, owns: false, owners: [], nearer: [peer(15)] } as const;
  const { sent } = take(chord, got(asked, lies));
  assert.notEqual(sent[0]?.to.id, 'node-15');
  const owners = { ...lies, owners: [peer(45)], nearer: [] };
  assert.notEqual(take(chord, got(asked, owners)).sent[0]?.to.id, 'node-45');
});

const anyPeer = fc.integer({ min: 1, max: 70 }).map((n) => peer(n));
const n = fc.nat(6);
const someList = fc.array(anyPeer, { maxLength: 8 });
const anyMessage: fc.Arbitrary<ChordMessage> = fc.oneof(
  fc.record({ kind: fc.constantFrom('ask', 'ping', 'pong'), n }),
  fc.record({ kind: fc.constantFrom('notify', 'leaving') }),
  fc.record({ kind: fc.constant('find'), n, key: fc.integer({ min: 1, max: 70 }).map(key) }),
  fc.record({ kind: fc.constant('list'), n, before: anyPeer, list: someList }),
  fc.record({
    kind: fc.constant('way'),
    n,
    owns: fc.boolean(),
    owners: someList,
    nearer: someList,
  }),
) as fc.Arbitrary<ChordMessage>;
const anyInput: fc.Arbitrary<ChordInput> = fc.oneof(
  fc.tuple(anyPeer, anyMessage).map(([from, message]) => got(from, message)),
  fc.record({ kind: fc.constant('late'), n }) as fc.Arbitrary<ChordInput>,
  fc.constantFrom<ChordInput>(
    { kind: 'round' },
    { kind: 'fix' },
    { kind: 'reach' },
    { kind: 'lookup', key: key(33), tag: 1 },
    { kind: 'join', via: peers },
  ),
);

test('no order of messages, true or false, throws or makes a node hold more than its limits', () => {
  fc.assert(
    fc.property(fc.array(anyInput, { maxLength: 40 }), fc.boolean(), (inputs, isMember) => {
      let chord = isMember ? member(30) : chordOut(peer(30), RULES);
      for (const input of inputs) {
        [chord] = step(chord, input, 0);
        assert.ok(chord.list.length <= RULES.successors);
        assert.ok(!chord.list.some(({ id }) => id === chord.me.id));
        assert.ok(chord.lookups.length <= RULES.lookupsMax + 3);
        assert.ok(chord.lookups.every(({ nearer }) => nearer.length <= 40));
        assert.ok(chord.lost.length <= 16 && chord.fingers.length <= 64);
      }
    }),
    { numRuns: 500 },
  );
});
