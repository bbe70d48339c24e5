/**
 * Names that lead nowhere good, and certificates that should not be trusted.
 *
 *   inside, metadata   resolve to 127.0.0.1 and 169.254.169.254
 *   rebind             its own address first, 127.0.0.1 the next time, in turns
 *   nowhere, broken    NXDOMAIN, SERVFAIL
 *   tls-…              expired, made for another name, signed by itself (H3)
 */
import { rootPage } from './hostile.ts';
import type { Draft, Naming } from './specials.ts';

export const PRIVATE_NAMES = ['inside', 'metadata', 'rebind'] as const;
export const TLS_LABELS = ['tls-expired', 'tls-wrong-name', 'tls-self-signed'] as const;

export function privateNameDrafts(): Draft[] {
  return [
    draft('inside', { kind: 'fixed', address: '127.0.0.1' }),
    draft('metadata', { kind: 'fixed', address: '169.254.169.254' }),
    draft('rebind', { kind: 'alternating', address: '127.0.0.1' }),
  ];
}

export function deadNameDrafts(): Draft[] {
  return [draft('nowhere', { kind: 'nxdomain' }), draft('broken', { kind: 'servfail' })];
}

export function tlsDrafts(): Draft[] {
  return TLS_LABELS.map((label) => ({ ...draft(label, { kind: 'own' }), scheme: 'https' }));
}

function draft(label: string, naming: Naming): Draft {
  return {
    label,
    linked: !label.startsWith('tls-'),
    naming,
    path: '/',
    honest: [],
    answer: (path) => rootPage(label, path),
  };
}
