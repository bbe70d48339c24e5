/**
 * The `Peers` port over TLS 1.3 on TCP: the wire of a ring (D8, docs/ring-security.md).
 *
 *   dial.ts ───────┐                                      ┌─ listen.ts    who may wait at the door
 *                  ├─▶ secure.ts ─▶ greet.ts ─▶ sessions.ts ─▶ session.ts ─▶ receiver
 *                  │   the channel  who is it   one life of    messages,
 *                  │                            each id        limits
 *                  └─ line.ts: a socket as frames, and no more of them than wanted
 *
 *   peers.ts   openPeers: all of it together
 */

export { PEER_LIMITS, type PeerLimits } from './limits.ts';
export { openPeers, type PeersOptions } from './peers.ts';
