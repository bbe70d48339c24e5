/** Sizes: `npm test` runs the small ones, ORB_TEST_SCALE=full the ones that the issue names. */
export const isFull: boolean = process.env.ORB_TEST_SCALE === 'full';

export function scaled<T>(small: T, full: T): T {
  return isFull ? full : small;
}
