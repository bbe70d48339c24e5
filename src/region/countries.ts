/**
 * Top-level domains of countries, by continent (as GeoNames counts them): facts, but for one
 * choice. Domains that are sold as words to everybody say nothing about where a host is and are
 * left out: .ai .cc .co .fm .gg .io .la .me .sh .to .tv .ws and their like. Those of the United
 * States' institutions (.edu .gov .mil) are in.
 *
 * A user who knows better says so: `--host-region tr=eu`.
 */
import type { Continent } from './name.ts';

const TOP_LEVELS: Readonly<Record<Continent, string>> = {
  af: `ao bf bi bj bw cg ci cm cv dz eg er et gh gm gn gw ke km lr ls ma mg mr mu mw mz na ne
    ng re rw sd sl sn so ss sz td tg tn tz ug yt za zm zw
    xn--lgbbat1ad8j xn--mgbc0a9azcg xn--mgbpl2fh xn--pgbs0dh xn--wgbh1c africa`,
  an: 'aq',
  as: `ae af am az bd bh bn bt cn ge hk id il in iq ir jo jp kg kh kp kr kw kz lb lk mm mn mo mv my
    np om ph pk ps qa sa sg sy th tj tl tm tr tw uz vn ye
    xn--3e0b707e xn--54b7fta0cc xn--80ao21a xn--clchc0ea0b2g2a9gcd xn--fiqs8s xn--fiqz9s
    xn--h2brj9c xn--j6w193g xn--kprw13d xn--kpry57d xn--l1acc xn--mgba3a4f16a xn--mgbaam7a8h
    xn--mgbayh7gpa xn--mgberp4a5d4ar xn--node xn--o3cw4h xn--wgbl6a xn--y9a3aq xn--yfro4i67o asia`,
  eu: `al at ax ba be bg by ch cy cz de dk ee es eu fi fo fr gb gi gr hr hu ie is it je li lt lu lv mc
    md mk mt nl no pl pt ro rs ru se si sj sk sm ua uk va
    xn--90a3ac xn--90ae xn--90ais xn--d1alf xn--e1a4c xn--j1amh xn--p1ai xn--qxa6a xn--qxam`,
  na: `aw bb bm bs ca cr cu cw dm do gd gp gt hn ht jm kn ky mq mx ni pa pm pr sv sx tc
    tt us vg vi edu gov mil`,
  oc: 'au ck fj gu ki mh mp nc nf nr nz pf pg pn sb vu wf',
  sa: 'ar bo br cl ec fk gf gy pe py sr uy ve',
};

const BY_TOP_LEVEL: ReadonlyMap<string, Continent> = new Map(
  Object.entries(TOP_LEVELS).flatMap(([continent, names]) =>
    names.split(/\s+/).map((name) => [name, continent as Continent] as const),
  ),
);

/** Empty for names that belong to no country. */
export function regionOfTopLevel(name: string): string {
  return BY_TOP_LEVEL.get(name.slice(name.lastIndexOf('.') + 1)) ?? '';
}
