/** Reports as bytes: what fits, what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CALL_BYTES_MAX } from '../ports/ring-calls.ts';
import { peerFrom } from '../ring/index.ts';
import { decodeReport, encodeReport } from './ring-report.ts';
import { peerOf, StillRing } from './ring-seen.testkit.ts';

const clock = { now: () => 1_700_000_000_000, sleepUntil: async () => {} };
const ring = new StillRing(12, clock);
const me = ring.peers[3] as (typeof ring.peers)[number];
ring.lookups.set(me.id, [
  { key: me.place, owner: undefined, hops: 7, ms: 12.5, at: clock.now() },
  { key: me.place, owner: me.place, hops: 0, ms: 0, at: clock.now() - 1 },
]);
const report = ring.reportOf(me);

test('ring report: what is written is read, to the last field', () => {
  assert.ok(report.arcs.length > 5 && report.fingers.length > 2);
  assert.deepEqual(decodeReport(encodeReport(report), me.id), report);
});

test('ring report: the longest there can be fits into one message, and is still a report', () => {
  const long = (nth: number) => peerFrom({ id: peerOf(nth).id, at: `${'a'.repeat(249)}:65535` });
  const peers = Array.from({ length: 100 }, (_, i) => long(i) as NonNullable<typeof report.before>);
  const seats = peers.slice(0, 20).map(({ place }) => place);
  const epoch = Number.MAX_SAFE_INTEGER;
  const arcs = Array.from({ length: 64 }, (_, arc) => {
    return { arc, epoch, role: 'candidate' as const, owner: me.place, seats, level: 16 };
  });
  const lookup = { key: me.place, owner: me.place, hops: 999, ms: 0.1 + 0.2, at: clock.now() };
  const lookups = Array.from({ length: 100 }, () => lookup);
  const huge = { ...report, successors: peers, fingers: peers, arcs, lookups };
  const bytes = encodeReport(huge);
  assert.ok(bytes.length <= CALL_BYTES_MAX, `${bytes.length} bytes`);
  const read = decodeReport(bytes, me.id);
  assert.equal(read?.arcs.length, 64);
  assert.equal(read?.successors.length, 64);
});

test('ring report: of another than was asked, it is none', () => {
  assert.equal(decodeReport(encodeReport(report), (ring.peers[4] as typeof me).id), undefined);
});

const [arc] = report.arcs;
const WRONG: Readonly<Record<string, object>> = {
  'another version': { v: 2 },
  'no arcs': { arcs: undefined },
  'an arc twice': { arcs: [arc, arc] },
  'an arc beyond the circle': { arcs: [{ ...arc, arc: 64 }] },
  'half an epoch': { arcs: [{ ...arc, epoch: 1.5 }] },
  'an epoch below zero': { arcs: [{ ...arc, epoch: -1 }] },
  'a seat that is no place': { arcs: [{ ...arc, seats: ['<b>'] }] },
  'an arc owned by another': { arcs: [{ ...arc, role: 'owner', owner: 'f'.repeat(16) }] },
  'too many seats': { arcs: [{ ...arc, seats: new Array(17).fill(me.place) }] },
  'a status of its own': { status: '<img src=x>' },
  'an address that is none': { me: { id: me.id, at: '<script>:1' } },
  'a neighbour that is none': { before: null },
  'an instant that cannot be written': { at: 9e15 },
  'a lookup of no day': { lookups: [{ ...report.lookups[0], at: Number.MAX_VALUE }] },
  'a count that is a text': { counts: { ...report.counts, bytesIn: '1' } },
  'a count that is missing': { totals: { known: 1, waiting: 1 } },
  'sixty-five fingers': { fingers: new Array(65).fill(report.me) },
};

test('ring report: whatever is not exactly one is nothing, and nothing throws', () => {
  const good = JSON.parse(Buffer.from(encodeReport(report)).toString()) as object;
  for (const [what, wrong] of Object.entries(WRONG)) {
    const bytes = Buffer.from(JSON.stringify({ ...good, ...wrong }));
    assert.equal(decodeReport(bytes, me.id), undefined, what);
  }
  for (const bytes of [new Uint8Array(0), Buffer.from('[]'), Buffer.from([0xff, 0xfe])]) {
    assert.equal(decodeReport(bytes, me.id), undefined);
  }
  assert.equal(decodeReport(Buffer.alloc(CALL_BYTES_MAX + 1, 0x20), me.id), undefined);
});

test('ring report: any bytes, and any change of a byte, are read without a throw', () => {
  const whole = encodeReport(report);
  const changed = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
  fc.assert(
    fc.property(changed, fc.uint8Array({ maxLength: 200 }), ([at, byte], bytes) => {
      const spoilt = Buffer.from(whole);
      spoilt[at] = byte;
      decodeReport(spoilt, me.id);
      assert.equal(decodeReport(bytes, me.id), undefined);
    }),
    { numRuns: 300 },
  );
});

test('ring report: the place of a node follows from its key, whatever is said', () => {
  const it = JSON.parse(Buffer.from(encodeReport(report)).toString()) as Record<string, object>;
  it.me = { ...it.me, place: '0'.repeat(16) };
  assert.equal(decodeReport(Buffer.from(JSON.stringify(it)), me.id)?.me.place, me.place);
});
