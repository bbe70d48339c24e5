/**
 * The one thing that a face remembers between requests: how often a busy page was asked, so that
 * it can recover. Everything else the web answers from the URL alone.
 */
import type { WebAnswer, WebRequest } from './exchange.ts';
import type { Web } from './web.ts';

export class Recall {
  readonly #web: Web;
  readonly #asked = new Map<string, number>();

  constructor(web: Web) {
    this.#web = web;
  }

  answer(request: WebRequest): WebAnswer {
    const answer = this.#web.answer(request);
    if (!answer.recovers) return answer;
    const asked = this.#asked.get(request.url) ?? 0;
    this.#asked.set(request.url, asked + 1);
    return asked === 0 ? answer : this.#web.answer({ ...request, asked });
  }

  reset(): void {
    this.#asked.clear();
  }
}
