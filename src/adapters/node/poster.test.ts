import { posterContract } from '../../ports/poster.contract.ts';
import { systemClock } from './clock.ts';
import { nodePoster } from './poster.ts';
import { openResolver } from './resolver.ts';

function posterWith(allowPrivate: boolean) {
  const addresses = { allowPrivate, blockedNetworks: [], blockedHosts: [] };
  const ask = async (name: string) =>
    name === 'localhost'
      ? ({ kind: 'found', addresses: ['127.0.0.1'] } as const)
      : ({ kind: 'failed', detail: `no address for ${name}` } as const);
  return nodePoster(openResolver({ clock: systemClock(), addresses, ask }));
}

posterContract('node', { allowed: posterWith(true), strict: posterWith(false) });
