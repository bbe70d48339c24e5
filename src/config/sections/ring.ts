/**
 * Many nodes, no centre (D1–D8): where a node of a ring is found, what lets it in, and how many
 * keep what it must not forget.
 */
import { list } from '../kind.ts';
import { hostPort } from '../kinds-engine.ts';
import { choice, duration, integer, text } from '../kinds-plain.ts';
import { webUrl } from '../kinds-web.ts';
import { optional, setting } from '../setting.ts';

/** When a mention counts as kept (D5). */
export const ACK_MODES = ['sync-on-accept', 'async', 'full'] as const;
export type AckMode = (typeof ACK_MODES)[number];

export const ring = {
  listen: setting(hostPort('an address such as 192.0.2.7:7946', 0), '127.0.0.1:7946', {
    help: 'Address and port where this node hears the others; port 0 lets the system choose.',
    example: '192.0.2.7:7946',
    aliases: ['ring-listen', 'bind-addr', 'gossip-bind'],
  }),
  announce: optional(hostPort('an address such as node-1.example.com:7946'), {
    help: 'Where the other nodes find this one, when that is not where it listens.',
    example: 'node-1.example.com:7946',
    defaultText: 'where it listens',
    aliases: ['advertise', 'advertise-addr', 'public-address'],
  }),
  via: setting(list(hostPort('a member such as 192.0.2.7:7946')), [], {
    help: 'Member of the ring to ask, besides those that the folder remembers; repeatable.',
    example: '192.0.2.7:7946',
    aliases: ['contacts', 'seed-node', 'bootstrap', 'retry-join'],
  }),
  secretFile: optional(text('FILE', 'a file'), {
    help: 'File with the secret that lets nodes in; only its owner may be able to read it.',
    example: 'ring.secret',
    defaultText: 'DIR/ring.secret',
    aliases: ['join-secret-file', 'key-file'],
  }),
  secret: optional(text('TEXT', 'a secret of 16 bytes or more'), {
    help: 'The secret itself; best as ORB_RING_SECRET.',
    example: 'm9qQ2nF0mJmXrV1vB7wqkA',
    secret: true,
    aliases: ['join-secret', 'encrypt'],
  }),
  certificate: optional(text('FILE', 'a file'), {
    help: "File with this node's certificate, where the ring has no secret: orb ring certify.",
    example: 'node-1.cert',
    aliases: ['cert', 'certificate-file'],
  }),
  ringKey: optional(text('KEY', 'a public key of 43 characters'), {
    help: "The ring's public key, which certificates are checked with: orb ring keygen.",
    example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    aliases: ['ring-public-key', 'ca'],
  }),
  copies: setting(integer({ min: 1, max: 7 }), 3, {
    help: 'Nodes that have a mention before it counts as kept; the same on every node.',
    example: '2',
    identity: true,
    aliases: ['replicas', 'replication-factor'],
  }),
  ack: setting(choice(...ACK_MODES), 'sync-on-accept' as AckMode, {
    help: 'When that is waited for: as URLs are named, never, or always and by every copy.',
    example: 'full',
    identity: true,
    aliases: ['ack-mode', 'consistency'],
  }),
  ringTerm: setting(duration({ min: 3_000, max: 120_000 }), 9_000, {
    help: 'After this long without a word from an owner, the others choose another.',
    example: '20s',
    identity: true,
    aliases: ['election-timeout', 'lease-term'],
  }),
  ring: optional(webUrl('URL', 'the address of a node such as http://192.0.2.7:7070/'), {
    help: 'Hand the seeds to the ring that this node belongs to, and follow them there.',
    example: 'http://127.0.0.1:7070/',
    aliases: ['node', 'server'],
  }),
  apiToken: optional(text('TOKEN', 'a token with the role operate'), {
    help: 'Token for that node; best as ORB_RING_API_TOKEN.',
    example: 'cGxlYXNlLW1ha2UteW91ci1vd24',
    secret: true,
    aliases: ['ring-token', 'bearer'],
  }),
};
