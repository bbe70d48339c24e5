/**
 * X.509 certificates for the TLS face, made at run time: Node can read them but not write them,
 * so this is the little of DER (ITU-T X.690, RFC 5280) that a test authority needs.
 *
 * P-256 keys, ECDSA with SHA-256, version 3, names as subjectAltName.
 */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface Identity {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
}

export interface Authority extends Identity {
  readonly name: string;
}

export interface CertificateOrder {
  readonly names: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Signs; a certificate without one signs itself. */
  readonly authority?: Authority;
}

const OID = {
  commonName: '2.5.4.3',
  ecPublicKey: '1.2.840.10045.2.1',
  ecdsaSha256: '1.2.840.10045.4.3.2',
  basicConstraints: '2.5.29.19',
  subjectAltName: '2.5.29.17',
  keyUsage: '2.5.29.15',
};

export function makeAuthority(name: string, notBefore: Date, notAfter: Date): Authority {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const constraints = extension(OID.basicConstraints, sequence(boolean(true)), true);
  const usage = extension(OID.keyUsage, der(0x03, Buffer.from([1, 0x06])), true);
  const body = toBeSigned(name, name, publicKey, notBefore, notAfter, [constraints, usage]);
  return { name, key: pemKey(privateKey), cert: signed(body, privateKey) };
}

export function makeCertificate(order: CertificateOrder): Identity {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = order.names[0]!;
  const alternatives = order.names.map((name) => der(0x82, Buffer.from(name, 'ascii')));
  const names = extension(OID.subjectAltName, sequence(...alternatives), false);
  const issuer = order.authority?.name ?? subject;
  const { notBefore, notAfter } = order;
  const body = toBeSigned(subject, issuer, publicKey, notBefore, notAfter, [names]);
  return { key: pemKey(privateKey), cert: signed(body, order.authority?.key ?? privateKey) };
}

function toBeSigned(
  subject: string,
  issuer: string,
  key: KeyObject,
  notBefore: Date,
  notAfter: Date,
  extensions: readonly Buffer[],
): Buffer {
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x01;
  return sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    sequence(oid(OID.ecdsaSha256)),
    nameOf(issuer),
    sequence(time(notBefore), time(notAfter)),
    nameOf(subject),
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
}

function signed(body: Buffer, key: KeyObject | string): string {
  const signature = sign('sha256', body, key);
  const bits = der(0x03, Buffer.concat([Buffer.from([0]), signature]));
  const certificate = sequence(body, sequence(oid(OID.ecdsaSha256)), bits);
  const lines = certificate.toString('base64').match(/.{1,64}/g)!;
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

const pemKey = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

function der(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const long = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...long]), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, Buffer.concat(parts));
const integer = (bytes: Uint8Array): Buffer => der(0x02, bytes);
const boolean = (value: boolean): Buffer => der(0x01, Buffer.from([value ? 0xff : 0]));

function extension(id: string, value: Uint8Array, critical: boolean): Buffer {
  const flag = critical ? [boolean(true)] : [];
  return sequence(oid(id), ...flag, der(0x04, value));
}

function nameOf(commonName: string): Buffer {
  const text = der(0x0c, Buffer.from(commonName, 'utf8'));
  return sequence(der(0x31, sequence(oid(OID.commonName), text)));
}

function oid(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number) as [number, number, ...number[]];
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return der(0x06, Buffer.from(bytes));
}

/** UTCTime, which is right for the years 1950 to 2049. */
function time(at: Date): Buffer {
  const text = at.toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${text}Z`, 'ascii'));
}
