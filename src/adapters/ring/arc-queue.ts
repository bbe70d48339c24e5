/**
 * Writes of one arc follow one another in the order in which they were asked for: the engine has
 * several threads, and a later row must not be overtaken by an earlier one.
 */
export class ArcQueue {
  readonly #last = new Map<number, Promise<void>>();

  /** Begins when all that was asked for before, of any of these arcs, is done or has failed. */
  run<T>(arcs: readonly number[], work: () => Promise<T>): Promise<T> {
    const before = arcs.flatMap((arc) => this.#last.get(arc) ?? []);
    const mine = before.length === 0 ? work() : Promise.all(before).then(work);
    const done: Promise<void> = mine.then(nothing, nothing).then(() => {
      for (const arc of arcs) if (this.#last.get(arc) === done) this.#last.delete(arc);
    });
    for (const arc of arcs) this.#last.set(arc, done);
    return mine;
  }
}

function nothing(): void {}
