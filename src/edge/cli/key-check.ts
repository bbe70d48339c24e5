/**
 * `orb key check`: would a site that meets our signature find the key? Asks for the directory as
 * a verifier does, and says what such a one would trip over.
 */
import { exitCode, type Refusal, type Settings } from '../../config/index.ts';
import type { Outcome } from '../../fetch/index.ts';
import {
  DIRECTORY_PATH,
  DIRECTORY_TYPE,
  type DirectoryFault,
  directoryFaults,
  type SignKey,
} from '../../sign/index.ts';
import { safeText } from './format.ts';
import type { World } from './world.ts';

export async function checkKey(settings: Settings, world: World): Promise<number | Refusal> {
  const { signKey, signatureAgent } = settings.agent;
  if (signKey === undefined || signatureAgent === undefined) {
    const message = 'orb key check needs the key and where it is published.';
    const hint = 'Write: orb key check --sign-key FILE --signature-agent https://YOUR-HOST';
    return { mistakes: [{ code: 'E_USAGE', message, hint }] };
  }
  const key = await world.keyFiles.read(signKey);
  const url = signatureAgent + DIRECTORY_PATH;
  const faults = faultsOf(await world.ask(url, DIRECTORY_TYPE, settings), key);
  await world.stdout.write(`${linesOf(url, key, faults).join('\n')}\n`);
  return exitCode(faults.some(({ isLight }) => !isLight) ? 'failed' : 'complete');
}

function faultsOf(outcome: Outcome, key: SignKey): DirectoryFault[] {
  if (outcome.kind !== 'answered') {
    const fix = 'Check the name, the certificate and the way there; --insecure is for tests alone.';
    return [{ isLight: false, what: `it cannot be had: ${outcome.detail}`, fix }];
  }
  const { status, headers, body } = outcome;
  const text = Buffer.from(body).toString('utf8');
  return directoryFaults({ status, contentType: headers['content-type'] ?? '', body: text }, key);
}

function linesOf(url: string, key: SignKey, faults: readonly DirectoryFault[]): string[] {
  if (faults.length === 0) return [`ok    ${url} lists the key ${key.keyid}`];
  return faults.flatMap(({ isLight, what, fix }) => [
    `${isLight ? 'warn' : 'fail'}  ${url}: ${safeText(what, 300)}`,
    `      → ${fix}`,
  ]);
}
