/** Us being wrong: a broken invariant stops here, with the sentence that names it. */
export function assert(condition: unknown, claim: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${claim}`);
}

/** Ends a `switch` over a closed union: a new member fails the type check here. */
export function unreachable(value: never): never {
  throw new Error(`no case for ${JSON.stringify(value)}`);
}
