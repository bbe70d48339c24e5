/** RC4: node:crypto no longer has it, old PDFs do. */
export function rc4(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] as number) + (key[i % key.length] as number)) & 255;
    [state[i], state[j]] = [state[j] as number, state[i] as number];
  }
  const out = new Uint8Array(bytes.length);
  for (let at = 0, i = 0, j = 0; at < bytes.length; at++) {
    i = (i + 1) & 255;
    const a = state[i] as number;
    j = (j + a) & 255;
    const b = state[j] as number;
    state[i] = b;
    state[j] = a;
    out[at] = (bytes[at] as number) ^ (state[(a + b) & 255] as number);
  }
  return out;
}
