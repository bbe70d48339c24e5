import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FARM, judgeFarm } from './farm.ts';
import { HostSketch } from './sketch.ts';
import { judgeSoft404, SOFT_404, saysMissing, wantsProbe } from './soft-404.ts';

const NOW = Date.UTC(2026, 5, 1);

test('soft 404: short pages that say so are believed, in many languages', () => {
  const pages = [
    ['Page not found', 'Oh no! Sorry, we could not find the page at /x. It may have moved.'],
    ['404 Not Found', ''],
    ['Shop', 'The page you requested does not exist.'],
    ['Fehler', 'Diese Seite wurde leider nicht gefunden.'],
    ['Erreur', 'La page demandée est introuvable.'],
    ['Error', 'La página no existe o no se encontró.'],
    ['Erro', 'A página não foi encontrada.'],
    ['Errore', 'La pagina non è stata trovata'],
    ['Fout', 'Deze pagina niet gevonden'],
    ['Ошибка', 'Запрошенная страница не найдена.'],
    ['エラー', 'お探しのページが見つかりません'],
    ['错误', '抱歉，您访问的页面不存在'],
    ['오류', '요청하신 페이지를 찾을 수 없습니다'],
  ] as const;
  for (const [title, text] of pages) assert.ok(saysMissing(title, text, 20), `${title}: ${text}`);
});

test('soft 404: long pages, and short ones about something else, are not', () => {
  assert.ok(!saysMissing('About 404', 'When a page is not found, a server answers 404.', 900));
  const other = [
    ['Lost property', 'We found 404 umbrellas last year. Open daily.'],
    ['Opening hours', 'Our office is open from nine to five.'],
    ['Room 404', 'A double room on the fourth floor with a view.'],
    ['', ''],
  ] as const;
  for (const [title, text] of other) assert.ok(!saysMissing(title, text, 12), `${title}: ${text}`);
});

function host(bodies: readonly string[]): HostSketch {
  const sketch = new HostSketch();
  for (const body of bodies) {
    sketch.notePage([body], false);
    judgeSoft404(sketch, SOFT_404, NOW);
  }
  return sketch;
}
const own = (count: number) => Array.from({ length: count }, (_, n) => `own ${n}`);
const same = (count: number) => Array.from({ length: count }, () => 'sorry');

test('soft 404: a host of one page, or of few, is one body and proves nothing', () => {
  for (const count of [1, 5, 9]) assert.equal(host(same(count)).soft404, undefined);
});

test('soft 404: one body behind four of ten pages is flagged, behind two of ten it is not', () => {
  const mixed = (share: number) =>
    own(100).flatMap((body, n) => (n % 10 < share ? ['sorry'] : [body]));
  const flagged = host(mixed(4));
  assert.match(flagged.soft404?.reason ?? '', /one body stands behind \d+% of its pages/);
  assert.equal(flagged.softBody, 'sorry');
  assert.equal(host([...own(20), ...mixed(2)]).soft404, undefined);
});

test('soft 404: a host that is mended is forgiven', () => {
  const sketch = host([...own(20), ...same(30)]);
  assert.ok(sketch.soft404);
  for (const body of own(400)) {
    sketch.notePage([body], false);
    judgeSoft404(sketch, SOFT_404, NOW);
  }
  assert.equal(sketch.soft404, undefined);
});

test('soft 404: an impossible URL is asked where a body comes up again, once a month', () => {
  assert.ok(!wantsProbe(host(own(200)), NOW));
  const sketch = host([...own(20), ...same(4)]);
  assert.ok(wantsProbe(sketch, NOW));
  sketch.probe = { at: NOW, hash: 0, simhash: 0n };
  assert.ok(!wantsProbe(sketch, NOW));
  assert.ok(wantsProbe(sketch, NOW + 31 * 86_400_000));
});

const farmReason = (sketch: HostSketch): string => sketch.farm?.reason ?? '';

test('farm: a host of near-copies is flagged, one with some is not, and one that ends is freed', () => {
  const sketch = new HostSketch();
  const feed = (count: number, isNear: (n: number) => boolean) => {
    for (let n = 0; n < count; n++) {
      sketch.notePage([`p${n}`], isNear(n));
      judgeFarm(sketch, FARM, NOW);
    }
  };
  feed(40, () => true);
  assert.equal(farmReason(sketch), '', 'too few pages');
  feed(20, () => true);
  assert.match(farmReason(sketch), /100% of its pages nearly repeat other pages/);
  feed(3_000, (n) => n % 10 === 0);
  assert.equal(farmReason(sketch), '');
  const honest = new HostSketch();
  for (let n = 0; n < 500; n++) {
    honest.notePage([`p${n}`], n % 3 === 0);
    judgeFarm(honest, FARM, NOW);
  }
  assert.equal(farmReason(honest), '');
});
