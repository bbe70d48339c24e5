/**
 * Exchanges through an HTTP or SOCKS proxy (`--proxy`): the same Line, over undici's ProxyAgent.
 *
 * The proxy opens the connections, so our pinned address and the check of the connected
 * address do not apply: what may be reached is then the proxy's to decide. The resolver's
 * check on the name's addresses still holds. The reported remote address is the proxy's host.
 */
import { type Dispatcher, ProxyAgent } from 'undici';
import type { Line } from './http-line.ts';

export interface ProxyRules {
  readonly uri: string;
  readonly acceptBadTls: boolean;
  readonly idleMs: number;
  readonly headerBytes: number;
}

export class ProxyRoad {
  readonly #agent: ProxyAgent;
  readonly #name: string;

  constructor(rules: ProxyRules) {
    this.#name = new URL(rules.uri).hostname;
    this.#agent = new ProxyAgent({
      uri: rules.uri,
      requestTls: { rejectUnauthorized: !rules.acceptBadTls, timeout: 0 },
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: rules.idleMs,
      maxHeaderSize: rules.headerBytes,
    });
  }

  lineTo(origin: string): Line {
    return new ProxyLine(this.#agent, origin, this.#name);
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

class ProxyLine implements Line {
  readonly connectMs = undefined;
  readonly httpVersion = '1.1';
  readonly tlsError = undefined;
  readonly fault = undefined;
  readonly wasIdle = true;
  readonly remoteAddress: string;
  readonly #agent: ProxyAgent;
  readonly #origin: string;

  constructor(agent: ProxyAgent, origin: string, name: string) {
    this.#agent = agent;
    this.#origin = origin;
    this.remoteAddress = name;
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#agent.dispatch({ ...options, origin: this.#origin }, handler);
  }

  give(): void {}

  /** Without a controller the request has not started; the exchange ends it when it does. */
  drop(controller?: Dispatcher.DispatchController): void {
    controller?.abort(new Error('given up'));
  }
}
