/** What a page has from its browser: time, a storage that ends with the tab, an address bar. */

export function now(): number {
  return Date.now();
}

/** Resolves early, and without complaint, when the signal fires. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const wake = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', wake, { once: true });
  });
}

const TOKEN = 'orbweaver.token';

/** For this tab alone: a token that outlives it would outlive whoever sat here. */
export function readToken(): string {
  try {
    return sessionStorage.getItem(TOKEN) ?? '';
  } catch {
    return '';
  }
}

export function writeToken(token: string): void {
  if (token === '') sessionStorage.removeItem(TOKEN);
  else sessionStorage.setItem(TOKEN, token);
}

export function readAddress(): string {
  return location.hash;
}

export function goTo(address: string): void {
  location.hash = address;
}

/** Also where the page is no secure context, which randomUUID() asks for. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
