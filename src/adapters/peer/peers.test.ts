/** TLS on loopback keeps the promises of `Peers`, with a secret and with certificates. */
import { describe } from 'node:test';
import { peersContract } from '../../ports/peers.contract.ts';
import { certifiedMember, openNode, secretMember } from './peer.testkit.ts';

describe('peers over TLS', () => {
  peersContract('secret', (t, key) => openNode(t, { key, membership: secretMember() }));
  peersContract('certificate', (t, key) => openNode(t, { key, membership: certifiedMember(key) }));
});
