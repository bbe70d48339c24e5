/**
 * The channel: TLS 1.3 with the ring's shared key (RFC 8446, psk_dhe_ke), fresh keys for each connection.
 *
 * No certificate authorities, no names, no tickets to resume from, no early data: a recorded
 * conversation opens nothing, not even for who learns the secret later. Who has not the shared key
 * fails before its first word is read.
 *
 * `bindingOf` is what only the two ends of this one channel know (RFC 9266's exporter): a proof
 * over it cannot be carried to another channel.
 */
import { constants } from 'node:crypto';
import type { TLSSocket, TlsOptions } from 'node:tls';

const SHARED_KEY_NAME = 'orbweaver-ring';
const BINDING_BYTES = 32;

const CHANNEL = {
  minVersion: 'TLSv1.3',
  maxVersion: 'TLSv1.3',
  // Both hash with SHA-256, as a key that came from outside of TLS requires. The first may go on
  // for as long as neighbours talk; AES-GCM should not, beyond some 2^24 records.
  ciphers: 'TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:PSK',
  secureOptions: constants.SSL_OP_NO_TICKET,
} as const;

export function listenerChannel(sharedKey: Uint8Array): TlsOptions {
  return {
    ...CHANNEL,
    pskCallback: (_socket, name) => (name === SHARED_KEY_NAME ? sharedKey : null),
  };
}

export function dialerChannel(sharedKey: Uint8Array) {
  return {
    ...CHANNEL,
    pskCallback: () => ({ psk: sharedKey, identity: SHARED_KEY_NAME }),
    // There is no certificate to compare a name with; who it is, the hello proves.
    checkServerIdentity: () => undefined,
  };
}

export function bindingOf(socket: TLSSocket): Uint8Array {
  return socket.exportKeyingMaterial(BINDING_BYTES, 'EXPORTER-orbweaver-ring', Buffer.alloc(0));
}
