/**
 * Chance, as a port: the machine's in a crawl, a seeded one in tests and simulations.
 *
 * Promise: next() is evenly spread over [0, 1), and never 1.
 */
export interface Random {
  next(): number;
}
