/**
 * The hosts whose sketches are awake, as many as fit: those that woke first go to sleep first,
 * and of what sleeps the bytes are kept.
 *
 *   wake ──→ counted by its families, again whenever it is used ──→ too many in all: sleep
 *
 * A sketch of a host that has just become busy is a tenth of one that is full, so families are
 * counted and not hosts: waking costs as much as noticing twenty pages.
 */
import { encodeSketch, HostSketch } from '../quality/index.ts';
import type { Host } from './host.ts';

/** Families in all sketches that are awake: some 60 MB of them. */
const FAMILIES_MAX = 240_000;
/** However large they are: whoever holds a sketch while others wake must not lose it. */
const HOSTS_MIN = 1_000;
const PACK_FROM = 1_024;

export class Awake {
  #hosts: Host[] = [];
  #first = 0;
  #families = 0;

  get size(): number {
    return this.#hosts.length - this.#first;
  }

  *hosts(): Iterable<Host> {
    for (let i = this.#first; i < this.#hosts.length; i++) yield this.#hosts[i] as Host;
  }

  add(host: Host, sketch: HostSketch): void {
    host.sketch = sketch;
    this.#hosts.push(host);
    this.weigh(sketch);
    while (this.#families > FAMILIES_MAX && this.size > HOSTS_MIN) this.#sleepFirst();
  }

  /** Counts what has come to it since. */
  weigh(sketch: HostSketch): void {
    const { size } = sketch;
    this.#families += size - sketch.weighed;
    sketch.weighed = size;
  }

  /** Those whose host has left with its arc. */
  forgetGone(): void {
    this.#hosts = [...this.hosts()].filter(({ presence }) => presence !== 'gone');
    this.#first = 0;
    this.#families = 0;
    for (const { sketch } of this.#hosts) {
      if (sketch instanceof HostSketch) this.#families += sketch.weighed;
    }
  }

  #sleepFirst(): void {
    const host = this.#hosts[this.#first++] as Host;
    if (host.sketch instanceof HostSketch) {
      this.#families -= host.sketch.weighed;
      host.sketch = encodeSketch(host.sketch);
    }
    if (this.#first < PACK_FROM || this.#first < this.size) return;
    this.#hosts = this.#hosts.slice(this.#first);
    this.#first = 0;
  }
}
