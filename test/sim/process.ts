/**
 * A process of a simulated cluster: it can be stopped in the middle of anything and go on later,
 * or never. All that it awaits comes through a gate: what others do for it goes on while it is
 * stopped (an engine writes a commit that has reached it), but it does not hear of it.
 */
export class Process {
  #stopped: Promise<void> | undefined;
  #goOn: () => void = () => undefined;
  isDead = false;

  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  stop(): void {
    this.#stopped ??= new Promise((resolve) => {
      this.#goOn = resolve;
    });
  }

  goOn(): void {
    if (this.isDead) return;
    this.#stopped = undefined;
    this.#goOn();
  }

  kill(): void {
    this.stop();
    this.isDead = true;
  }

  async through<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      while (this.#stopped !== undefined) await this.#stopped;
    }
  }

  /** A call from outside: heard when it runs. */
  async hear<T>(call: () => T): Promise<Awaited<T>> {
    await this.through(Promise.resolve());
    return await call();
  }

  /** A port whose answers come through the gate. */
  port<T extends object>(port: T): T {
    return new Proxy(port, {
      get: (target, name) => {
        const found = Reflect.get(target, name, target) as unknown;
        if (typeof found !== 'function') return found;
        return (...args: unknown[]) => this.#answer(found.apply(target, args));
      },
    });
  }

  #answer(answer: unknown): unknown {
    if (answer instanceof Promise) return this.through(answer);
    const isRows = typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
    return isRows ? this.#rows(answer as AsyncIterable<unknown>) : answer;
  }

  async *#rows(rows: AsyncIterable<unknown>): AsyncIterable<unknown> {
    for await (const row of rows) yield await this.through(Promise.resolve(row));
  }
}
