/**
 * The promises of the `Resolver` port, proved of any adapter that can be given its answers and
 * its time.
 *
 *   resolverContract('node', (given) => openResolver(given))
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Instant } from '../base/instant.ts';
import type { AddressRules } from '../fetch/address.ts';
import type { Clock } from './clock.ts';
import type { Resolution, Resolver } from './resolver.ts';

export interface ResolverGiven {
  readonly clock: Clock;
  readonly addresses: AddressRules;
  /** What the outside says when asked for a name; the adapter under test asks only this. */
  readonly ask: (hostname: string) => Promise<GivenAnswer>;
}

export type GivenAnswer =
  | { readonly kind: 'found'; readonly addresses: readonly string[] }
  | { readonly kind: 'failed'; readonly detail: string };

/** The outside, with its questions counted and its answers changeable. */
class World {
  now: Instant = 1_000_000;
  readonly questions: string[] = [];
  readonly names = new Map<string, readonly string[]>();
  readonly rules: AddressRules;
  readonly resolver: Resolver;

  constructor(open: (given: ResolverGiven) => Resolver, rules: Partial<AddressRules> = {}) {
    this.rules = { allowPrivate: false, blockedNetworks: [], blockedHosts: [], ...rules };
    const clock: Clock = { now: () => this.now, sleepUntil: async () => {} };
    const ask = async (hostname: string): Promise<GivenAnswer> => {
      this.questions.push(hostname);
      const addresses = this.names.get(hostname);
      if (addresses === undefined) return { kind: 'failed', detail: `${hostname}: ENOTFOUND` };
      return { kind: 'found', addresses };
    };
    this.resolver = open({ clock, addresses: this.rules, ask });
  }

  async addressOf(hostname: string): Promise<string> {
    const resolution = await this.resolver.resolve(hostname);
    return resolution.kind === 'address' ? resolution.address : resolution.kind;
  }
}

const MINUTE = 60_000;

export function resolverContract(name: string, open: (given: ResolverGiven) => Resolver): void {
  describe(`${name} resolver`, () => {
    memory(open);
    rules(open);
    waiting(open);
  });
}

function memory(open: (given: ResolverGiven) => Resolver): void {
  it('promise 1: many askers at once: one question, one answer for all', async () => {
    const world = new World(open);
    world.names.set('a.test', ['1.1.1.1']);
    const asked = Array.from({ length: 50 }, () => world.addressOf('a.test'));
    assert.deepEqual(new Set(await Promise.all(asked)), new Set(['1.1.1.1']));
    assert.deepEqual(world.questions, ['a.test']);
    assert.deepEqual(world.resolver.stats(), { asked: 50, hits: 49 });
  });

  it('an answer: kept for five minutes, then asked for again', async () => {
    const world = new World(open);
    world.names.set('a.test', ['1.1.1.1']);
    await world.addressOf('a.test');
    world.names.set('a.test', ['2.2.2.2']);
    world.now += 5 * MINUTE - 1;
    assert.equal(await world.addressOf('a.test'), '1.1.1.1');
    world.now += 1;
    assert.equal(await world.addressOf('a.test'), '2.2.2.2');
  });

  it('promise 2: a failed name: answered from memory for a short while', async () => {
    const world = new World(open);
    assert.equal(await world.addressOf('no.test'), 'failed');
    world.names.set('no.test', ['1.1.1.1']);
    assert.equal(await world.addressOf('no.test'), 'failed');
    assert.equal(world.questions.length, 1);
    world.now += MINUTE;
    assert.equal(await world.addressOf('no.test'), '1.1.1.1');
  });

  it('promise 4: three failed connections in a row: the name is forgotten', async () => {
    const world = new World(open);
    world.names.set('a.test', ['1.1.1.1']);
    await world.addressOf('a.test');
    world.names.set('a.test', ['2.2.2.2']);
    for (const connected of [false, false, true, false, false]) {
      world.resolver.report('a.test', connected);
    }
    assert.equal(await world.addressOf('a.test'), '1.1.1.1');
    world.resolver.report('a.test', false);
    assert.equal(await world.addressOf('a.test'), '2.2.2.2');
  });

  it('a report for a name never asked for: nothing happens', () => {
    new World(open).resolver.report('x.test', false);
  });
}

function rules(open: (given: ResolverGiven) => Resolver): void {
  it('promise 3: a name that leads to a private address: refused, with the address', async () => {
    const world = new World(open);
    world.names.set('rebind.test', ['127.0.0.1', '::1', '::ffff:10.0.0.1']);
    const refused = await world.resolver.resolve('rebind.test');
    assert.equal(refused.kind, 'refused');
    assert.equal((refused as Extract<Resolution, { kind: 'refused' }>).address, '127.0.0.1');
  });

  it('promise 3: several addresses: the first that is allowed', async () => {
    const world = new World(open);
    world.names.set('mixed.test', ['10.0.0.1', '9.9.9.9', '2620:fe::fe']);
    assert.equal(await world.addressOf('mixed.test'), '9.9.9.9');
  });

  it('an address in place of a name: judged, and not asked for', async () => {
    const world = new World(open);
    assert.deepEqual(await world.resolver.resolve('8.8.8.8'), {
      kind: 'address',
      address: '8.8.8.8',
      family: 4,
    });
    assert.deepEqual(await world.resolver.resolve('[2620:fe::fe]'), {
      kind: 'address',
      address: '2620:fe::fe',
      family: 6,
    });
    for (const literal of ['169.254.169.254', '[::1]', '[::ffff:7f00:1]', '0.0.0.0']) {
      assert.equal(await world.addressOf(literal), 'refused', literal);
    }
    assert.deepEqual(world.questions, []);
  });

  it('a blocked host, or a name under it: refused, and not asked for', async () => {
    const world = new World(open, { blockedHosts: ['evil.test'] });
    world.names.set('www.evil.test', ['1.1.1.1']);
    assert.equal(await world.addressOf('www.evil.test'), 'refused');
    assert.deepEqual(world.questions, []);
  });
}

function waiting(open: (given: ResolverGiven) => Resolver): void {
  it('a question that breaks: failed, not thrown', async () => {
    const clock: Clock = { now: () => 0, sleepUntil: async () => {} };
    const addresses = { allowPrivate: false, blockedNetworks: [], blockedHosts: [] };
    const resolver = open({ clock, addresses, ask: () => Promise.reject(new Error('no network')) });
    const resolution = await resolver.resolve('a.test');
    assert.equal(resolution.kind, 'failed');
  });

  it('a signal: this asker stops waiting, the others get the answer', async () => {
    const clock: Clock = { now: () => 0, sleepUntil: async () => {} };
    const addresses = { allowPrivate: false, blockedNetworks: [], blockedHosts: [] };
    let answer = (_: GivenAnswer) => {};
    const ask = () =>
      new Promise<GivenAnswer>((resolve) => {
        answer = resolve;
      });
    const resolver = open({ clock, addresses, ask });
    const stop = new AbortController();
    const impatient = resolver.resolve('a.test', stop.signal);
    const patient = resolver.resolve('a.test');
    stop.abort();
    assert.equal((await impatient).kind, 'failed');
    answer({ kind: 'found', addresses: ['1.1.1.1'] });
    assert.equal((await patient).kind, 'address');
  });
}
