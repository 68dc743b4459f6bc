import { describe, expect, test } from 'vitest'
import furniture from '../../../core/data/answer-furniture.json' with { type: 'json' }
import { blot } from '../../../core/text/characters.ts'
import { withoutFurniture } from '../../../core/text/furniture.ts'
import { defaultMatch } from '../../../core/text/match-modes.ts'
import { type BrandName, compileBrands } from '../../../core/text/mentions.ts'

/** A name with `!` in front counts in exact case only. */
function nameOf(text: string): BrandName {
  const caseSensitive = text.startsWith('!')
  return { text: caseSensitive ? text.slice(1) : text, caseSensitive }
}

function times(name: string, text: string, excludedPhrases: string[] = []): number {
  const names = [{ ...nameOf(name), excludedPhrases }]
  const [mention] = compileBrands([{ id: 'x', isOwn: false, names, domains: [] }]).find(text)
  return mention?.occurrences ?? 0
}

describe('how a name is matched when nobody chose', () => {
  test.each([
    ['Target', 'exact_case', 'dictionary_word'],
    ['Targets', 'exact_case', 'dictionary_word'],
    ['On', 'exact_case', 'short'],
    ['HP', 'exact_case', 'short'],
    ['mAh', 'exact_case', 'unit'],
    ['Sony', 'any_case', 'distinctive'],
    ['Bank of America', 'any_case', 'distinctive'],
    ['3M', 'any_case', 'distinctive'],
    ['소니', 'any_case', 'distinctive'],
  ])('%s: %s, %s', (name, mode, reason) => {
    expect(defaultMatch(name)).toEqual({ mode, reason })
  })
})

describe('exact case', () => {
  test.each([
    ['!On', 'I run in On every day. Shoes by On, on sale.', 2],
    ['!On', 'On-ear headphones, hands-On, on sale', 0],
    ['!On', 'On the other hand, turn it on.', 0],
    ['!On', '- On the road\n- it is on', 0],
    ['!On', '| On balance | on |', 0],
    ['!On', '- On Cloudmonster is on top', 1],
    ['!Target', 'Target-based. Target sells a target. ', 0],
    ['!Target', 'Target 5 and a target', 1],
    ['!Target', "Target's shops, not targets", 1],
    ['!LI', 'LI is not Li or li', 1],
    ['!Gap', 'GAP', 0],
  ])('%s in %j: %i', (name, text, count) => {
    expect(times(name, text)).toBe(count)
  })

  test('an excluded phrase takes the name that stands in it, in any case', () => {
    const text = 'Apple sells the iPhone. The Apple TV+ tier list: APPLE TV+ Tier List, Apple TV+.'
    expect(times('Apple', text)).toBe(4)
    expect(times('Apple', text, ['Apple TV+ tier list'])).toBe(2)
    expect(times('Target', 'Target audience, Target', ['target audience'])).toBe(1)
  })

  test('places say why a name does not count', () => {
    const own = { ...nameOf('!On'), excludedPhrases: ['On sale'] }
    const brands = [
      { id: 'on', isOwn: true, names: [own], domains: [] },
      { id: 'cloud', isOwn: false, names: [nameOf('On Cloud')], domains: [] },
    ]
    const text = 'On time. I wear On, on-ear, On-ear, On sale, On Cloud.'
    const places = compileBrands(brands).places(text)
    expect(places.filter((it) => it.brandId === 'on').map((it) => it.setAside)).toEqual([
      'sentence_start',
      null,
      'case',
      'hyphen',
      'excluded_phrase',
      'longer_name',
    ])
  })
})

describe('languages', () => {
  test.each([
    ['Nestlé', 'Nestle NESTLÉ Nestle\u0301', 3],
    ['Nestle', 'Nestlé, Nestled', 1],
    ['Škoda', 'Skoda ŠKODA, Skodas, Skodaa', 3],
    ['Weiß', 'Weiss, WEISS', 2],
    ['Søstrene', 'Sostrene', 1],
    ['Żabka', 'Zabka; Zabkami', 1],
    ['Łomża', 'Lomza', 1],
    ['İstikbal', 'ISTIKBAL istikbal ıstıkbal İstikbal’in', 4],
    ['Iş', "İŞ'te iş ışık", 2],
    ['Όμιλος', 'ΟΜΙΛΟΣ όμιλος ομιλοσ, Ομιλοσα', 3],
    ['삼성', '삼성은 삼성에서 삼성의', 3],
    ['삼성', '삼성동물, 삼성하', 0],
    ['Samsung', 'Samsung은, Samsung의, Samsungs은', 2],
    ['سوني', 'بسوني والسوني وسوني سونيا', 3],
    ['סוני', 'בסוני וסוני, לסוני; סוניה', 3],
    ['ソニー', '新しいソニーのテレビ、ｿﾆｰ', 2],
    ['ソニ', 'ソニー', 0],
    ['ガスト', 'ｶﾞｽﾄに、カ\u3099スト、カスト', 2],
    ['华为', '我喜欢华为手机，华為', 1],
    ['Ｓｏｎｙ', 'Sony Ｓｏｎｙ', 2],
    ['Sony', 'So\u200bny So\u00adny \u200eSony\u200f', 3],
    ['Best Buy', 'Best\u00a0Buy Best\u2009Buy Best\u2011Buy Best-Buy BestBuy', 5],
    ['BestBuy', 'Best Buy, BEST BUY, the best buy', 2],
    ['Every Day', 'everyday, Every-Day', 1],
    ['Procter & Gamble', 'Procter and Gamble, Procter + Gamble, Procter&Gamble', 3],
    ['Bed Bath and Beyond', 'Bed Bath & Beyond', 1],
    ["Levi's", 'Levis, Levi’s, Levi`s', 3],
    ['Shell', "She'll, we'll", 0],
    ['Canva', 'canvas, Canva’s', 1],
    ['Nokia', 'Nokian, Nokia-n, Nokia:n', 2],
    ['Apple', "Apple'ın, l'Apple", 2],
  ])('%s in %j: %i', (name, text, count) => {
    expect(times(name, text)).toBe(count)
  })
})

describe('words that run together', () => {
  test('tags part words, as emphasis does where a capital follows', () => {
    expect(times('Apple', '<td>iPhone</td><td>Apple</td><br>Samsung')).toBe(1)
    expect(times('Apple', 'iPhone<b>Apple</b>, **Best**Apple')).toBe(2)
    expect(times('Apple', 'p<b>apple</b>, **pine**apple')).toBe(0)
    expect(times('Nest', 'MyNestDevice')).toBe(0)
  })

  test('an image names whom its alternative text names, and no other attribute does', () => {
    const image = '<img class="sony" src="sony.png" alt="A Sony TV" title="Sony"/>'
    expect(times('Sony', image)).toBe(1)
    expect(times('Sony', `${image}<p title="Sony">![Sony](sony.png) <IMG alt='sony'>`)).toBe(3)
  })

  test('a page that lost its tags has edges at capitals', () => {
    const page =
      'Top picks.Ninja Foodi: large.Cosori DZ071BrevilleSee more.Philips TurboBlazeJBL Flip.'
    expect(times('JBL', page)).toBe(1)
    expect(times('Breville', page)).toBe(0)
    expect(times('Philips', page)).toBe(1)
    expect(times('JBL', 'TurboBlazeJBL Flip.')).toBe(0)
  })
})

describe("the platform's own lines", () => {
  test.each(furniture.furniture.map((it) => [it.id, it] as const))(
    '%s is not counted, and the answer around it stays',
    (_, { platform, example, needles, pattern }) => {
      expect(needles.some((needle) => example.includes(needle))).toBe(true)
      const text = `Sony is good.\n${example}\nBose too.`
      const masked = withoutFurniture(text, platform)
      expect(masked).toHaveLength(text.length)
      expect(masked.replaceAll(blot, '').replaceAll(/\s/g, '')).toBe('Sonyisgood.Bosetoo.')
      expect(new RegExp(pattern, 'mu').test('Google and Share are good sources.')).toBe(false)
    },
  )

  test('the line of one platform is text on another', () => {
    const line = 'Sony\nCopilot said:\n'
    expect(withoutFurniture(line, 'copilot')).not.toBe(line)
    expect(withoutFurniture(line, 'claude')).toBe(line)
  })
})
