/**
 * A certificate made on the spot, signed by itself, so that no key lies in the project.
 * Part of http.contract.ts. Just enough of X.509 (RFC 5280) in DER for a TLS server.
 */
import { generateKeyPairSync, sign } from 'node:crypto';

export interface KeyAndCert {
  readonly key: string;
  readonly cert: string;
}

const ECDSA_SHA256 = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'));

export function selfSigned(name: string): KeyAndCert {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = der(0x30, der(0x31, der(0x30, commonName(name))));
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const serial = der(0x02, Buffer.from([1]));
  const validity = der(0x30, time('20200101000000Z'), time('21200101000000Z'));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const altName = der(0x30, der(0x82, Buffer.from(name)));
  const extension = der(0x30, Buffer.from('0603551d11', 'hex'), der(0x04, altName));
  const extensions = der(0xa3, der(0x30, extension));
  const body = [version, serial, ECDSA_SHA256, subject, validity, subject, spki, extensions];
  const toSign = der(0x30, ...body);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toSign, privateKey));
  const cert = der(0x30, toSign, ECDSA_SHA256, signature).toString('base64');
  const lines = cert.match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function commonName(name: string): Buffer {
  return Buffer.concat([Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(name))]);
}

function time(text: string): Buffer {
  return der(0x18, Buffer.from(text));
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content]);
  const size = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
