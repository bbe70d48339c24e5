/**
 * Proving that a request is ours (P8, Web Bot Auth).
 *
 *   key file ─ key.ts ─▶ SignKey ─┬─ request.ts ───▶ fields of a request ─┐
 *                                 │                                       ├─ message.ts (RFC 9421)
 *                                 └─ directory.ts ─▶ our keys, signed ────┘    structured.ts
 *
 *   info-page.ts   what a site's owner reads about us (P6)
 *   check.ts       is a directory that was published one to verify with?
 *
 * Not here: reading the key file (../ports/key-files.ts), and putting the fields on a request
 * (../adapters/node/http-request.ts).
 */
export { type DirectoryFault, directoryFaults, type PublishedDirectory } from './check.ts';
export {
  authorityOf,
  DIRECTORY_PATH,
  DIRECTORY_TYPE,
  type Directory,
  directoryBody,
  directoryOf,
} from './directory.ts';
export { type InfoPageFacts, infoPage } from './info-page.ts';
export {
  isKeyProblem,
  type KeyProblem,
  keyFrom,
  type PublicJwk,
  privateJwkText,
  SEED_BYTES,
  SignKey,
  thumbprint,
} from './key.ts';
export { type Component, type Signed, signatureBase, signMessage } from './message.ts';
export {
  type AgentForm,
  NONCE_BYTES,
  requestSigner,
  SIGNATURE_LIFE_MS,
  type SigningRules,
  type SignRequest,
} from './request.ts';
