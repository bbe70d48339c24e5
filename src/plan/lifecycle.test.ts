import assert from 'node:assert/strict';
import { it } from 'node:test';
import { lifecycleJson, lifecycleXml } from './lifecycle.ts';

it('lifecycle: as SPEC has it: 30 days standard, to 90 infrequent, then archive; never gone', () => {
  const [rule] = JSON.parse(lifecycleJson({ prefix: 'bodies/' })).Rules;
  assert.deepEqual(rule.Filter, { Prefix: 'bodies/' });
  assert.deepEqual(rule.Transitions, [
    { Days: 30, StorageClass: 'STANDARD_IA' },
    { Days: 90, StorageClass: 'GLACIER_IR' },
  ]);
  assert.equal(rule.Expiration, undefined);
  assert.deepEqual(rule.AbortIncompleteMultipartUpload, { DaysAfterInitiation: 7 });
});

it('lifecycle: both forms say the same, and a prefix cannot break the XML', () => {
  const lifecycle = {
    prefix: 'a&<b>/',
    archiveClass: 'DEEP_ARCHIVE',
    expireAfterDays: 400,
  } as const;
  const [rule] = JSON.parse(lifecycleJson(lifecycle)).Rules;
  const xml = lifecycleXml(lifecycle);
  assert.match(xml, /<Prefix>a&amp;&lt;b&gt;\/<\/Prefix>/);
  for (const { Days, StorageClass } of rule.Transitions) {
    const told = `<Transition><Days>${Days}</Days><StorageClass>${StorageClass}</StorageClass>`;
    assert.ok(xml.includes(told), told);
  }
  assert.ok(xml.includes(`<Expiration><Days>${rule.Expiration.Days}</Days>`));
});

it('lifecycle: days that do not rise, or are not whole: refused', () => {
  assert.throws(() => lifecycleJson({ infrequentAfterDays: 90, archiveAfterDays: 30 }), RangeError);
  assert.throws(() => lifecycleXml({ expireAfterDays: 60 }), RangeError);
  assert.throws(() => lifecycleJson({ infrequentAfterDays: 1.5 }), RangeError);
  assert.throws(() => lifecycleJson({ infrequentAfterDays: 0 }), RangeError);
});
