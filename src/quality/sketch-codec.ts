/**
 * A sketch as bytes: a version, then the parts in order. Families that have hardly been met are
 * left out: they make up most of the room and none of the evidence.
 *
 * A row of another version, or a damaged one, gives an empty sketch: evidence comes again.
 */
import { ByteReader, ByteWriter } from '../base/bytes.ts';
import { bodiesFrom, Family, newCounting, newQueryFacts, newWatch } from './family.ts';
import type { Heavy } from './heavy.ts';
import { FETCHED_WEIGHT } from './host-watch.ts';
import { HostSketch, type Probe, type Verdict } from './sketch.ts';
import { TRAP_KINDS } from './traps.ts';

const VERSION = 1;
const [HAS_WATCH, HAS_QUERY, HAS_BODIES, HAS_COUNTING] = [1, 2, 4, 8];
/** Of each level the families with the most evidence of their own are kept, and all on trial. */
const KEPT_EVIDENCE = 2;
const KEPT_MAX = 24;
const writer = new ByteWriter();
const simhashBytes = Buffer.alloc(8);

export function encodeSketch(sketch: HostSketch): Buffer {
  writer.byte(VERSION).varint(sketch.admitted).varint(sketch.fetched);
  writer.float(sketch.pages).float(sketch.near);
  for (const level of sketch.levels) {
    const kept = keptOf(level);
    writer.varint(kept.length);
    for (const family of kept) writeFamily(family);
  }
  writer.varint(sketch.verdicts.length);
  for (const verdict of sketch.verdicts) writeVerdict(verdict);
  const bodies = [...sketch.bodies.entries()].filter(([, body]) => body.weight > 1);
  writer.varint(bodies.length);
  for (const [key, { weight }] of bodies) writer.text(key).float(weight);
  writer.text(sketch.softBody);
  for (const flagging of [sketch.soft404, sketch.farm]) {
    writer.float(flagging?.since ?? 0).text(flagging?.reason ?? '');
  }
  writeProbe(sketch.probe);
  writer.varint(sketch.loops.length);
  for (const hash of sketch.loops) writer.varint(hash);
  return writer.take();
}

/**
 * Not by weight: in a full table newcomers inherit that (heavy.ts), and most of it would be kept
 * for nothing. And with little evidence, too: a host that is put to sleep after each page would
 * never have more.
 */
function keptOf(level: Heavy<Family>): Family[] {
  const kept: Family[] = [];
  for (const [, family] of level.entries()) {
    if (evidenceOf(family) >= KEPT_EVIDENCE) kept.push(family);
  }
  if (kept.length <= KEPT_MAX) return kept;
  return kept.sort((a, b) => evidenceOf(b) - evidenceOf(a)).slice(0, KEPT_MAX);
}

function evidenceOf({ admitted, fetched, watch }: Family): number {
  return watch === undefined ? admitted + FETCHED_WEIGHT * fetched : Number.MAX_SAFE_INTEGER;
}

export function decodeSketch(row: Uint8Array): HostSketch {
  if (row.length === 0 || row[0] !== VERSION) return new HostSketch();
  try {
    return readSketch(new ByteReader(row, 1));
  } catch {
    return new HostSketch();
  }
}

function readSketch(r: ByteReader): HostSketch {
  const sketch = new HostSketch();
  sketch.admitted = r.varint();
  sketch.fetched = r.varint();
  sketch.pages = r.float();
  sketch.near = r.float();
  for (const level of sketch.levels) {
    for (let n = r.varint(); n > 0; n--) {
      const family = readFamily(r);
      level.put(family.key, family);
    }
  }
  for (let n = r.varint(); n > 0; n--) sketch.addVerdict(readVerdict(r));
  for (let n = r.varint(); n > 0; n--) {
    const key = r.text();
    sketch.bodies.put(key, { key, weight: r.float() });
  }
  sketch.softBody = r.text();
  sketch.soft404 = readFlagging(r);
  sketch.farm = readFlagging(r);
  sketch.probe = readProbe(r);
  sketch.loops = Array.from({ length: r.varint() }, () => r.varint());
  return sketch;
}

function writeFamily(f: Family): void {
  const parts =
    (f.watch ? HAS_WATCH : 0) |
    (f.query ? HAS_QUERY : 0) |
    (f.bodies ? HAS_BODIES : 0) |
    (f.counting ? HAS_COUNTING : 0);
  writer.text(f.key).byte(parts).varint(f.weight).varint(f.admitted).varint(f.outside);
  writer.varint(f.fetched).varint(f.stretch).varint(f.copies).varint(f.ahead);
  writer.varint(f.depthMin).varint(f.depthMax).varint(f.outlinksMax).varint(f.clearUntil);
  if (f.watch !== undefined) {
    const { pages, mentions, repeats, chances, dead, leading } = f.watch;
    writer.varint(pages).varint(mentions).varint(repeats).float(chances);
    writer.varint(dead).varint(leading);
    writer
      .byte(f.watch.isOnTrial ? 1 : 0)
      .varint(f.watch.trial)
      .varint(f.watch.trialDead);
  }
  if (f.counting !== undefined) {
    const { steps, taken, maxima, records } = f.counting;
    writer.bytes(steps.bytes).varint(taken).byte(maxima.length).byte(records.length);
    for (const number of [...maxima, ...records]) writer.float(number);
  }
  if (f.query !== undefined) {
    writer.bytes(f.query.sets.bytes).bytes(f.query.pairs.bytes).varint(f.query.deep);
  }
  if (f.bodies !== undefined) writer.bytes(f.bodies.bytes);
}

function readFamily(r: ByteReader): Family {
  const f = new Family(r.text());
  const parts = r.byte();
  f.weight = r.varint();
  f.admitted = r.varint();
  f.outside = r.varint();
  f.fetched = r.varint();
  f.stretch = r.varint();
  f.copies = r.varint();
  f.ahead = r.varint();
  f.depthMin = r.varint();
  f.depthMax = r.varint();
  f.outlinksMax = r.varint();
  f.clearUntil = r.varint();
  if ((parts & HAS_WATCH) !== 0) {
    const start = { pages: r.varint(), mentions: r.varint(), repeats: r.varint() };
    const rest = { chances: r.float(), dead: r.varint(), leading: r.varint() };
    f.watch = { ...newWatch(), ...start, ...rest };
    f.watch.isOnTrial = r.byte() === 1;
    f.watch.trial = r.varint();
    f.watch.trialDead = r.varint();
  }
  if ((parts & HAS_COUNTING) !== 0) {
    f.counting = newCounting(r.bytes());
    f.counting.taken = r.varint();
    const [maxima, records] = [r.byte(), r.byte()];
    f.counting.maxima = Array.from({ length: maxima }, () => r.float());
    f.counting.records = Array.from({ length: records }, () => r.float());
  }
  if ((parts & HAS_QUERY) !== 0) {
    f.query = newQueryFacts(r.bytes(), r.bytes());
    f.query.deep = r.varint();
  }
  if ((parts & HAS_BODIES) !== 0) f.bodies = bodiesFrom(r.bytes());
  return f;
}

function writeVerdict(v: Verdict): void {
  writer.byte(v.level).text(v.key).byte(TRAP_KINDS.indexOf(v.kind)).text(v.reason).float(v.at);
  writer.varint(v.fetched).varint(v.skipped).byte(v.parametersMax);
  writer.float(v.probeAt).byte(v.probesLeft).byte(v.probesGood).byte(v.probesDone);
}

function readVerdict(r: ByteReader): Verdict {
  return {
    level: r.byte(),
    key: r.text(),
    kind: TRAP_KINDS[r.byte()] ?? 'endless',
    reason: r.text(),
    at: r.float(),
    fetched: r.varint(),
    skipped: r.varint(),
    parametersMax: r.byte(),
    probeAt: r.float(),
    probesLeft: r.byte(),
    probesGood: r.byte(),
    probesDone: r.byte(),
  };
}

function readFlagging(r: ByteReader): HostSketch['farm'] {
  const since = r.float();
  const reason = r.text();
  return reason === '' ? undefined : { since, reason };
}

function writeProbe(probe: Probe | undefined): void {
  simhashBytes.writeBigUInt64BE(probe?.simhash ?? 0n);
  writer
    .float(probe?.at ?? 0)
    .varint(probe?.hash ?? 0)
    .raw(simhashBytes);
}

function readProbe(r: ByteReader): Probe | undefined {
  const at = r.float();
  const hash = r.varint();
  const simhash = r.raw(8).readBigUInt64BE();
  return at === 0 ? undefined : { at, hash, simhash };
}
