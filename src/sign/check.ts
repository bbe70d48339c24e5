/**
 * Is a published directory one that sites can check our signatures with? What a verifier would
 * trip over, each with what to do about it; nothing found is good.
 */
import { DIRECTORY_TYPE } from './directory.ts';
import type { SignKey } from './key.ts';

export interface PublishedDirectory {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export interface DirectoryFault {
  /** A fault that verifiers may bear with; others stop them. */
  readonly isLight: boolean;
  readonly what: string;
  readonly fix: string;
}

/** The parts of a private JWK, of any kind of key: none may ever be published. */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'];

export function directoryFaults(found: PublishedDirectory, key: SignKey): DirectoryFault[] {
  const { status, contentType, body } = found;
  if (status !== 200) {
    const isMoved = status >= 300 && status < 400;
    const why = isMoved ? ', and verifiers follow no redirect' : '';
    return [fault(`it answers ${status}${why}`, 'Answer 200 with the directory at this address.')];
  }
  const keys = keysIn(body);
  if (keys === undefined) {
    return [fault('it is not a JSON object with a list of keys', PUBLISH)];
  }
  const faults: DirectoryFault[] = [];
  if (contentType.split(';')[0]?.trim().toLowerCase() !== DIRECTORY_TYPE) {
    const what = `its type is ${contentType === '' ? 'not said' : contentType}`;
    faults.push({ isLight: true, what, fix: `Serve it as ${DIRECTORY_TYPE}.` });
  }
  if (keys.some((one) => PRIVATE_MEMBERS.some((member) => member in one))) {
    const fix = 'Take it down at once and make a new key: everybody can sign with this one.';
    faults.push(fault('it shows the private half of a key', fix));
  }
  if (!keys.some(({ x }) => x === key.publicJwk.x)) {
    faults.push(fault(`it does not list the key ${key.keyid}`, PUBLISH));
  } else if (keys.some(({ x, kid }) => x === key.publicJwk.x && kid !== key.keyid)) {
    faults.push(fault('it has the key under a kid that is not its thumbprint', PUBLISH));
  }
  return faults;
}

const PUBLISH = 'Publish what `orb key show FILE` prints.';

function fault(what: string, fix: string): DirectoryFault {
  return { isLight: false, what, fix };
}

function keysIn(body: string): Readonly<Record<string, unknown>>[] | undefined {
  try {
    const { keys } = JSON.parse(body) as { keys?: unknown };
    const isList = Array.isArray(keys) && keys.every((one) => typeof one === 'object' && one);
    return isList ? (keys as Record<string, unknown>[]) : undefined;
  } catch {
    return undefined;
  }
}
