/** Asks the API, with the token if there is one; whatever goes wrong becomes an ApiProblem. */
import type { Problem } from './api-types.ts';
import { randomKey, readToken } from './browser.ts';

export class ApiProblem extends Error {
  /** 0 when nobody answered. */
  readonly status: number;
  readonly title: string;
  readonly detail: string;

  constructor({ status, title, detail }: Pick<Problem, 'status' | 'title' | 'detail'>) {
    super(title);
    this.status = status;
    this.title = title;
    this.detail = detail;
  }
}

export async function ask<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await (await call(path, signal ? { signal } : {})).json()) as T;
}

/** Sent again by a browser or a person, it is still done once. */
export async function post<T>(path: string, body?: object): Promise<T> {
  const key = { 'idempotency-key': randomKey() };
  const init =
    body === undefined
      ? { method: 'POST', headers: key }
      : {
          ...{ method: 'POST', body: JSON.stringify(body) },
          headers: { 'content-type': 'application/json', ...key },
        };
  return (await (await call(path, init)).json()) as T;
}

export async function call(path: string, init: RequestInit = {}): Promise<Response> {
  const token = readToken();
  const auth: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
  const headers = { ...(init.headers as Record<string, string> | undefined), ...auth };
  const response = await fetch(path, { ...init, headers }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new ApiProblem(SILENT);
  });
  if (response.ok) return response;
  throw new ApiProblem(await problemOf(response));
}

const SILENT = {
  status: 0,
  title: 'The service does not answer',
  detail: 'It may have been stopped, or the network is down.',
};

async function problemOf(response: Response): Promise<Problem> {
  try {
    const problem = (await response.json()) as Problem;
    const places = problem.errors?.map(({ pointer, detail }) => `${pointer} ${detail}`) ?? [];
    return { ...problem, detail: [problem.detail, ...places].join(' ') };
  } catch {
    const { status } = response;
    return { type: '', status, title: `The service answered ${status}`, detail: 'Without a word.' };
  }
}

export function problemFrom(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  return new ApiProblem({ status: 0, title: 'This page has a bug', detail: String(error) });
}
