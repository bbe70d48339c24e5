/**
 * Pauses of which no answer tells: a host, and the address that it shares with others, are not
 * asked before one whole pause has passed since an instant (P1, P4, P5).
 */
import type { Instant } from '../base/instant.ts';
import type { Host } from './host.ts';
import type { Politeness } from './policy.ts';
import { addressDelayMsOf, delayMsOf } from './turn.ts';

export function restHost(host: Host, from: Instant, policy: Politeness): void {
  host.turnAt = Math.max(host.turnAt, from + delayMsOf(host.host, host, policy));
  restAddress(host, from, policy);
}

export function restAddress(host: Host, from: Instant, policy: Politeness): void {
  restAddressUntil(host, from + addressDelayMsOf(host.host, policy));
}

/** Whoever says so: nobody asks its address before. */
export function restAddressUntil({ group }: Host, until: Instant): void {
  group.turnAt = Math.max(group.turnAt, until);
}

/** A request of which nobody will ever tell: it may have reached the host until now. */
export function restLost(host: Host, now: Instant, policy: Politeness): void {
  host.lastFetchAt = now;
  restHost(host, now, policy);
}
