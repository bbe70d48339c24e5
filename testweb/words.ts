/**
 * Text that looks like text: a few hundred words, and sentences made from them once.
 *
 * Pages pick whole sentences from the pool, so a page of 14 KB costs some hundred picks instead
 * of two thousand. The pool is wide enough that two pages seldom share more than a sentence in
 * twenty, which keeps fingerprints of unrelated pages apart.
 */
import { Dice } from './hash.ts';

export const WORDS: readonly string[] = `amber anchor apple archive arrow autumn bakery balance
bamboo basket beacon bicycle blossom bottle branch bridge bronze brush bucket butter cabin cable
camera candle canvas canyon carbon castle cedar chamber cherry circle citizen clay clock cloud
coast copper coral corner cotton cradle crystal current dancer desert detail distance dragon drift
eagle echo edge ember engine evening fabric falcon farmer feather fence field filter finger flame
flower forest fossil fountain frame garden gate glacier glass grain granite gravel guitar hammer
harbor harvest hazel hedge hill hollow honey horizon island ivory jacket journal jungle kettle
kitchen ladder lagoon lantern leaf letter library lily linen lumber magnet maple marble market
meadow mirror morning mountain museum needle nickel oak ocean olive orbit orchard paper path
pebble pencil pepper pine planet pocket prairie quarry rabbit radio railway rain raven record
reef ribbon ridge river rope rose saddle sail salt sand scale season shadow shell signal silver
sketch slate smoke snow spark spider spring square station steam stone storm stream street sugar
summer summit tailor tea temple thread thunder ticket timber tower tunnel valley velvet village
violet voyage wagon walnut water wheel willow window winter wolf wool yard zinc`
  .split(/\s+/)
  .filter((word) => word !== '');

const GLUE = `and the of to in that was for with as his on be at by which have or from had not but
what all were when we there can an your their said if do will each about how up out them then she
many some so these would other into has more her two like him see time could no make than first
been its who now people my made over did down only way find use may long little very after just
most where much before through back years good give our under name`.split(/\s+/);

export const SECTIONS = ['news', 'blog', 'guide', 'shop', 'forum', 'about', 'people', 'events'];

/** Words outside ASCII, for titles in utf-8 and for pages in older charsets. */
export const CYRILLIC =
  'река гора весна письмо город мост зима книга лес утро вечер остров камень'.split(' ');
export const JAPANESE = 'こんにちは せかい やま かわ 東京 日本 テスト ページ はる ふゆ'.split(' ');

const SENTENCES = 2_048;

/** Each ends in a blank, and holds no character that HTML would need escaped. */
export const sentences: readonly string[] = makeSentences();

export function word(number: number): string {
  return WORDS[number % WORDS.length]!;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function makeSentences(): string[] {
  const dice = new Dice(20_260_101);
  return Array.from({ length: SENTENCES }, () => {
    const length = 9 + dice.below(10);
    const row = Array.from({ length }, (_, at) => {
      const glue = at % 2 === 1 && dice.below(3) > 0;
      return glue ? GLUE[dice.below(GLUE.length)]! : word(dice.next());
    });
    return `${capital(row.join(' '))}. `;
  });
}
