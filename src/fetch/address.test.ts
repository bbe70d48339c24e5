import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import {
  type AddressRules,
  addressVerdict,
  hostVerdict,
  isPublic,
  PUBLIC_ONLY,
} from './address.ts';

const PRIVATE_TOO: AddressRules = { ...PUBLIC_ONLY, allowPrivate: true };

const PUBLIC = ['1.1.1.1', '8.8.8.8', '93.184.216.34', '172.32.0.1', '172.15.255.255', '192.0.1.1']
  .concat(['100.63.255.255', '100.128.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255'])
  .concat(['11.0.0.0', '9.255.255.255', '126.255.255.255', '128.0.0.0', '169.253.255.255'])
  .concat(['2606:4700:4700::1111', '2a00:1450:4001:82a::200e', '2001:200::1', '2400::'])
  .concat(['64:ff9b::8.8.8.8', '2002:808:808::1', '::ffff:1.1.1.1', '2001:0:808:808::f7f7:f7f7']);

const PRIVATE = ['10.0.0.1', '10.255.255.255', '100.64.0.0', '100.127.255.255', '127.0.0.1']
  .concat(['127.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.1', '198.18.0.0'])
  .concat(['198.19.255.255', '::1', 'fc00::1', 'fdff::', '::ffff:127.0.0.1', '::ffff:7f00:1'])
  .concat(['::7f00:1', '64:ff9b::10.0.0.1', '2002:7f00:1::', '2002:a00:1::1']);

const NEVER = ['0.0.0.0', '0.255.255.255', '169.254.0.1', '169.254.169.254', '192.0.0.1']
  .concat(['192.0.2.1', '192.88.99.1', '198.51.100.7', '203.0.113.255', '224.0.0.1'])
  .concat(['239.255.255.255', '240.0.0.1', '255.255.255.255', '100.100.100.200', '168.63.129.16'])
  .concat(['::', 'fe80::1', 'febf::', 'fec0::1', 'ff02::1', '2001:db8::1', '3fff::1', '100::1'])
  .concat(['fd00:ec2::254', '64:ff9b:1::1', '5f00::1', '4000::1', '2001:2::1', '2001:20::1'])
  .concat([
    '::ffff:169.254.169.254',
    '2002:a9fe:a9fe::',
    '64:ff9b::a9fe:a9fe',
    '::ffff:0:a9fe:a9fe',
  ])
  .concat(['2001:0:a9fe:a9fe::f7f7:f7f7', '2001:0:808:808::5601:5601']);

it('addresses of the public internet: allowed', () => {
  for (const address of PUBLIC) {
    assert.deepEqual(addressVerdict(address, PUBLIC_ONLY), { allowed: true }, address);
    assert.equal(isPublic(address), true, address);
  }
});

it('private addresses: refused, and allowed only with allowPrivate', () => {
  for (const address of PRIVATE) {
    const verdict = addressVerdict(address, PUBLIC_ONLY);
    assert.equal(verdict.allowed, false, address);
    assert.match(verdict.allowed ? '' : verdict.why, /--allow-private/);
    assert.equal(addressVerdict(address, PRIVATE_TOO).allowed, true, address);
    assert.equal(isPublic(address), false, address);
  }
});

it('link-local, metadata, multicast, reserved: refused even with allowPrivate', () => {
  for (const address of NEVER) {
    assert.equal(addressVerdict(address, PRIVATE_TOO).allowed, false, address);
    assert.equal(isPublic(address), false, address);
  }
});

it('a special network that the settings name: allowed, its neighbours not', () => {
  const rules = { ...PRIVATE_TOO, allowedNetworks: ['169.254.169.254/32', 'fe80::/64'] };
  assert.equal(addressVerdict('169.254.169.254', rules).allowed, true);
  assert.equal(addressVerdict('169.254.169.253', rules).allowed, false);
  assert.equal(addressVerdict('fe80::5', rules).allowed, true);
});

it('blocked networks: win over everything, also when reached through IPv6', () => {
  const rules = { ...PRIVATE_TOO, blockedNetworks: ['8.8.0.0/16', '10.1.2.3', '2a00::/16'] };
  const blocked = ['8.8.8.8', '10.1.2.3', '2a00:1450::1', '::ffff:8.8.4.4', '2002:808:404::1'];
  for (const address of blocked) {
    const verdict = addressVerdict(address, rules);
    assert.match(verdict.allowed ? '' : verdict.why, /blocked network/, address);
  }
  assert.equal(addressVerdict('8.9.8.8', rules).allowed, true);
  assert.equal(addressVerdict('10.1.2.4', rules).allowed, true);
});

it('a blocked network that is none: an error that names it, not a hole', () => {
  const rules = { ...PUBLIC_ONLY, blockedNetworks: ['10.0.0.0/33'] };
  assert.throws(() => addressVerdict('1.1.1.1', rules), /10\.0\.0\.0\/33/);
});

it('what is no address: refused', () => {
  for (const text of ['', 'example.com', '127.1', '0x7f.1', '1.2.3.4.5', '1.2.3', '256.1.1.1']) {
    assert.equal(addressVerdict(text, PRIVATE_TOO).allowed, false, text);
  }
  for (const text of [
    '01.2.3.4',
    ':',
    ':::',
    '1::2::3',
    'fe80::1%eth0',
    '[::1]',
    '1:2:3:4:5:6:7',
  ]) {
    assert.equal(addressVerdict(text, PRIVATE_TOO).allowed, false, text);
  }
});

it('blocked hosts: the name and all under it, and nothing that only looks alike', () => {
  const rules = { ...PUBLIC_ONLY, blockedHosts: ['Example.com', '*.bad.org'] };
  for (const name of [
    'example.com',
    'a.example.com',
    'a.b.example.com',
    'example.com.',
    'bad.org',
  ]) {
    assert.equal(hostVerdict(name, rules).allowed, false, name);
  }
  for (const name of ['notexample.com', 'example.com.evil.net', 'example.org', 'com']) {
    assert.equal(hostVerdict(name, rules).allowed, true, name);
  }
});

it('any text: a verdict, never an exception', () => {
  const soup = fc.string({ unit: fc.constantFrom(...'0123456789abcdef:.%[]/x '), maxLength: 50 });
  fc.assert(
    fc.property(fc.oneof(soup, fc.string()), (text) => {
      assert.equal(typeof addressVerdict(text, PUBLIC_ONLY).allowed, 'boolean');
    }),
  );
});

it('an IPv4 address and its mapped form: one verdict', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      assert.equal(isPublic(address), isPublic(`::ffff:${address}`));
    }),
  );
});
