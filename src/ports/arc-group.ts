/**
 * The nodes of a cluster as a group: which arcs each of them should own, and how a mention
 * reaches whoever owns its arc (K1, E1). Who may act for an arc is another question: tenures.ts.
 *
 * Promises (arc-group.contract.ts):
 *   1. When no node comes or goes, each arc is assigned to one of them, and so is each part that
 *      it would be split into (../url/arcs.ts): a split needs no word to the group.
 *   2. What hand() resolved for arrives at least once where its arc is followed, in the order in
 *      which one node handed what belongs to one host; also when nodes die in between.
 *   3. What arrived() resolved for is not told again, but for what was under way at a crash.
 *   4. A member that dies is missed: its arcs are assigned to others.
 *   5. Messages that are not ours do no harm.
 *   6. Who follows a part is told from where its whole had come to, and only what is for the part.
 */
export interface ArcGroup<Mention> {
  /** Resolves when this node takes part. */
  open(member: GroupMember<Mention>): Promise<void>;
  /** Waits as long as the engine is away (K5); rejects only when it is closed before. */
  hand(mentions: readonly Mention[]): Promise<void>;
  /** From now on what is for these arcs arrives here, and nothing else. */
  follow(arcs: readonly number[]): void;
  /** Leaves in good order: others are assigned its arcs at once. */
  close(): Promise<void>;
}

export interface GroupMember<Mention> {
  /** All that this node should own from now on; empty when it is not sure of any. */
  assigned(arcs: readonly number[]): void;
  /** Resolves when they are durable. One call at a time for each arc. */
  arrived(arc: number, mentions: readonly Mention[]): Promise<void>;
}
