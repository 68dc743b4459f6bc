import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Brand, compileBrands } from '../../../core/text/mentions.ts'
import { cpuMsOf } from '../../kit/cpu.ts'
import { realData } from '../../kit/real-data.ts'
import { sized } from '../../kit/soak.ts'

const real = realData('data/answers-product-bench.jsonl')

/** A brand whose id is its first name. A name with `!` in front is case-sensitive. */
function brand(names: string[], domains: string[] = []): Brand {
  const parsed = names.map((name) =>
    name.startsWith('!')
      ? { text: name.slice(1), caseSensitive: true }
      : { text: name, caseSensitive: false },
  )
  return { id: parsed[0]?.text ?? '', isOwn: false, names: parsed, domains }
}

const named = (brands: Brand[], text: string) =>
  Object.fromEntries(
    compileBrands(brands)
      .find(text)
      .map((mention) => [mention.brandId, mention.occurrences]),
  )

const sony = brand(['Sony'], ['sony.com'])
const times = (text: string, of: Brand = sony) => named([of], text)[of.id] ?? 0

describe('what a model writes to itself before it answers', () => {
  test.each([
    ['<think>\nSony? No.\n</think>\n\nSony it is.', 1],
    ['  <thinking>Sony</thinking> Sony', 1],
    ['[THINK]Sony[/THINK]\nSony', 1],
    ['Sony? Yes.\n</think>\n\nSony.', 1],
    ['<think>\nSony has some, and', 0],
    ['Sony.\n\n<think>\nSony again?\n</think>\nSony.', 2],
    // An answer about such tags is an answer.
    ['Sony shows `<think>` and Sony hides `</think>`.', 2],
    ['Sony:\n<think>\nSony', 2],
    ['```\n<think>\n```\nSony </think> Sony', 2],
  ])('%j names Sony %i times', (text, count) => {
    expect(times(text)).toBe(count)
  })

  test('keeps the places of names in the answer', () => {
    const text = '<think>Sony</think>\nBuy Sony.'
    const [mention] = compileBrands([sony]).find(text)
    expect(mention?.spans).toEqual([{ start: text.length - 5, end: text.length - 1 }])
  })
})

test('an international domain counts in its own letters and in punycode', () => {
  const town = brand(['Stadt'], ['xn--mnchen-3ya.de'])
  expect(times('München.de, xn--mnchen-3ya.de und muenchen.de', town)).toBe(2)
})

describe('a whole word', () => {
  test.each([
    ['Sony makes headphones.', 1],
    ['sony, SONY and SoNy', 3],
    ['(Sony)Sony/Sony-Sony_Sony', 5],
    ['Earbuds$99.99Sony', 0],
    ['Sonya likes Sonys', 1],
    ['4Sony Sony4 éSony Sonyé', 0],
    ['x\u0302Sony', 0],
    ['Sony\u0301', 1],
    ['Sonyの製品、次はSony。我喜欢Sony手机', 3],
    ['Sony소니, Sony는', 2],
    ['▶️Sony ⭐️Sony 1️⃣Sony', 3],
    ['Sony™ Sony® Sony¹ Sony② Sony℠', 5],
    ['Sony…', 1],
    ['', 0],
  ])('%s names Sony %i times', (text, count) => {
    expect(times(text)).toBe(count)
  })

  test.each([
    ['索尼', '我喜欢索尼手机，索尼WH-1000XM5', 2],
    ['ソニー', '新しいソニーのテレビ。Xソニー', 2],
    ['ソニ', 'ソニー', 0],
    ['โซนี่', 'ซื้อโซนี่ที่ร้าน', 1],
    ['โซนี', 'โซนี่', 0],
    ['ソニー', 'ｿﾆｰは', 1],
    ['소니', '소니 TV, 소니는, 소니에서도', 3],
    ['소니', '소니아, 대한소니', 0],
  ])('%s in %s: %i', (name, text, count) => {
    expect(times(text, brand([name]))).toBe(count)
  })

  test.each([
    ["Sony's and Sony’s and Sonyʼs TV", 3],
    ["Sonys' TV, two Sonys", 2],
    ['Sonyss, Sonysa', 0],
  ])('possessives and plurals count: %s', (text, count) => {
    expect(times(text)).toBe(count)
  })

  test('an alias may be case-sensitive', () => {
    expect(times('At Gap, gap GAP Gaps gaps', brand(['!Gap']))).toBe(1)
    expect(times('LI, Li and li', brand(['!LI']))).toBe(1)
    expect(times('At Gap gap', brand(['!Gap', 'gap']))).toBe(2)
  })
})

describe('spelling', () => {
  test.each([
    ['De’Longhi', "De'Longhi DE`LONGHI De´Longhi De‘Longhi", 4],
    ['Coca-Cola', 'Coca‑Cola Coca‐Cola Coca–Cola Coca−Cola Coca\\-Cola Coca Cola CocaCola', 7],
    ['Google Pixel', 'Google  Pixel, Google\u00a0Pixel, Google\n Pixel, GooglePixel', 4],
    ['Google Pixel', 'Google\n\nPixel and Google\n- Pixel', 0],
    ['Google Pixel', '**Google** Pixel, Google *Pixel*, `Google Pixel`', 2],
    ['Google Pixel', '[Google](https://a.com/x) Pixel', 1],
    ['AT&T', 'AT&T, AT&amp;T, AT\\&T, AT&Ts, AT and T, AT & T', 6],
    ['And Co', '(And Co), “and co”, [& Co], **And Co**, 是And Co, not Land Co, R-and Co', 5],
    ['Yahoo!', 'Yahoo! and Yahoo\\! and Yahoo', 3],
    ['.NET', '.NET and ASP.NET', 1],
    ['C++', 'C++, C+ and C++17', 1],
    ['a.b*c(d)[e]$^|?{1}\\', 'A.B*C(D)[E]$^|?{1}\\ axb', 1],
    ['Sony', 'So\u00adny Ｓｏｎｙ 𝗦𝗼𝗻𝘆 Ⓢⓞⓝⓨ', 4],
    ['Netﬂix', 'Netflix', 1],
    ['Oréal', 'Ore\u0301al', 1],
    [' Sony ', 'Sony', 1],
    ['', 'anything', 0],
  ])('%j is found in %j', (name, text, count) => {
    expect(times(text, brand([name]))).toBe(count)
  })
})

describe('addresses do not count, labels do', () => {
  test.each([
    ['[Sony](https://a.com/)', 1],
    ['[TV](https://sony.com/tv)', 0],
    ['[TV](/sony "Sony TV")', 0],
    ["[TV](/sony 'Sony')", 0],
    ['[TV](</sony tv>)', 0],
    ['[TV](https://a.com/Sony_(company)_Sony)', 0],
    ['[Sony WH-1000XM5]()', 1],
    ['![a Sony TV](sony.jpg)', 1],
    ['[![Sony](sony.png)](https://sony.com)', 1],
    ['<https://sony.com/> <mailto:a@sony.com>', 0],
    ['https://sony.com/Sony, Sony', 1],
    ['https://ja.wikipedia.org/wiki/Sony，Sony', 1],
    ['[https://sony.com](https://sony.com)', 0],
    ['<a href="https://sony.com/sony">Sony</a>', 1],
    ['[The best][1]\n\n[1]: https://sony.com/ "Sony TV"', 0],
    ['[The best][sony]\n\n  [Sony]: <https://a.com/>', 0],
    ['[Sony][]\n\n[Sony]: /x', 1],
    ['[Sony][1] and [Sony][Sony]', 3],
    ['[1]: Sony makes TVs', 1],
    ['[^1]: Sony.', 1],
    ['[a] (Sony)', 1],
    ['sony.com, www.sony.com, support.sony.com, Sony.com/tv, a@sony.com', 4],
    ['sony.community', 1],
    ['sony.de', 1],
  ])('%j: %i', (text, count) => {
    expect(times(text)).toBe(count)
  })
})

describe('several brands', () => {
  const google = brand(['Google'], ['google.com'])
  const pixel = brand(['Google Pixel'])
  const newYork = brand(['New York'])
  const times24 = brand(['York Times Company', 'York Times'])

  test('the longer name wins where two overlap', () => {
    expect(named([google, pixel], 'Google Pixel by Google')).toEqual({
      Google: 1,
      'Google Pixel': 1,
    })
    expect(named([brand(['Pixel']), pixel], 'Google Pixel')).toEqual({ 'Google Pixel': 1 })
    expect(named([google], 'google.com')).toEqual({ Google: 1 })
    expect(named([newYork, times24], 'New York Times')).toEqual({ 'York Times Company': 1 })
    expect(named([newYork, times24], 'New York')).toEqual({ 'New York': 1 })
  })

  test('a shorter name counts where a longer one takes the place of its own longer form', () => {
    const ericsson = brand(['Sony Ericsson'])
    const mobile = brand(['Ericsson Mobile Phones'])
    const text = 'Sony Ericsson Mobile Phones'
    expect(named([sony, ericsson, mobile], text)).toEqual({ Sony: 1, 'Ericsson Mobile Phones': 1 })
  })

  test('a name that two brands share counts for both', () => {
    expect(
      named([brand(['Delta Faucet', 'Delta']), brand(['Delta Air', '!Delta'])], 'Delta'),
    ).toEqual({
      'Delta Faucet': 1,
      'Delta Air': 1,
    })
  })

  test('rank is the place by first occurrence, shared by who begins at the same place', () => {
    const ranks = (brands: Brand[], text: string) =>
      compileBrands(brands)
        .find(text)
        .map(({ brandId, rank }) => [brandId, rank])
    expect(ranks([sony, google, brand(['Bose'])], 'Bose, Sony, Bose, Google')).toEqual([
      ['Bose', 1],
      ['Sony', 2],
      ['Google', 3],
    ])
    expect(ranks([brand(['A', 'X']), brand(['B', 'X']), sony], 'X Sony')).toEqual([
      ['A', 1],
      ['B', 1],
      ['Sony', 3],
    ])
  })

  test('spans are places of the answer as it was given', () => {
    const text = '… ﷺ ½ **Ｓｏｎｙ** [x](https://sony.com) So\u00adny™ … sony'
    const [mention] = compileBrands([sony]).find(text)
    expect(mention?.spans.map(({ start, end }) => text.slice(start, end))).toEqual([
      'Ｓｏｎｙ',
      'So\u00adny',
      'sony',
    ])
    expect(mention?.firstAt).toBe(8)
    expect(mention).toMatchObject({ brandId: 'Sony', isOwn: false, occurrences: 3, rank: 1 })
  })

  test('no brands, no mentions', () => {
    expect(compileBrands([]).find('Sony')).toEqual([])
  })
})

describe('whatever the name and the text', () => {
  const word = fc.stringMatching(/^[A-Za-zäöüéñ0-9][A-Za-zäöüéñ0-9.+&-]{0,7}[A-Za-zäöüéñ0-9]$/)
  const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
  const before = fc.constantFrom('', ' ', '\n', '(', '"', '**', '- ', '| ', '…', '，', '是', '▶️')
  const after = fc.constantFrom(
    '',
    ' ',
    '\n',
    ')',
    "'s",
    '’s',
    '**',
    ',',
    '.',
    '™',
    '；',
    'の',
    '…',
  )

  test('a name between separators is found once, in any case', () => {
    fc.assert(
      fc.property(name, before, after, fc.boolean(), (text, left, right, loud) => {
        // A brand named "s" is named again by "'s".
        fc.pre(!`${left}\n${right}`.toLowerCase().includes(text.toLowerCase()))
        const written = loud ? text.toUpperCase() : text
        const [mention] = compileBrands([brand([text])]).find(`${left}${written}${right}`)
        expect(mention).toMatchObject({ occurrences: 1, firstAt: left.length, rank: 1 })
      }),
      { numRuns: sized({ normal: 150, soak: 1000 }) },
    )
  })

  test('a name inside letters or digits is not found', () => {
    const letter = fc.constantFrom('a', 'Z', '7', 'é', 'ß', 'я', 'ا', 'ि')
    fc.assert(
      fc.property(name, letter, fc.boolean(), (text, sign, left) => {
        fc.pre(!text.includes(' ') || !left)
        // "é-é" with an "é" ends with "éé", which is the same name.
        const bare = (some: string) => some.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
        fc.pre(!/[ -]/.test(text) || !bare(text).includes(bare(sign)))
        expect(named([brand([text])], left && sign !== 'ि' ? sign + text : text + sign)).toEqual({})
      }),
      { numRuns: sized({ normal: 150, soak: 1000 }) },
    )
  })

  test('the order of the brands makes no difference', () => {
    const brands = ['Google', 'Google Pixel', 'Pixel 9', 'Sony', 'Sony Ericsson', 'Ericsson Mobile']
    const text = fc.array(fc.constantFrom('Google', 'Pixel', '9', 'Sony', 'Ericsson', 'Mobile'), {
      size: '+1',
    })
    fc.assert(
      fc.property(text, fc.shuffledSubarray(brands, { minLength: 6 }), (words, order) => {
        const find = (names: string[]) =>
          compileBrands(names.map((one) => brand([one]))).find(words.join(' '))
        expect(find(order)).toEqual(find(brands))
      }),
    )
  })

  test('any text is read without error', () => {
    const markdown = fc.array(
      fc.constantFrom(
        ']',
        '(',
        ')',
        '[',
        '<',
        '>',
        '"',
        '\\',
        ' ',
        '\n',
        'Sony',
        'https://',
        ':',
        '1',
        '…',
        '\ud83d',
      ),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          markdown.map((parts) => parts.join('')),
        ),
        (text) => {
          for (const { spans } of compileBrands([sony]).find(text)) {
            for (const { start, end } of spans)
              expect(text.slice(start, end)).toMatch(/s.*o.*n.*y/isu)
          }
        },
      ),
      { numRuns: sized({ normal: 200, soak: 2000 }) },
    )
  })
})

describe('time', () => {
  const brands = [
    sony,
    brand(['Google Pixel', 'Google']),
    brand(['a a', 'a a a b']),
    brand(['** x']),
  ]
  const matcher = compileBrands(brands)
  const pieces = [
    '](',
    '](<',
    '](a "',
    "](a '",
    '](a (',
    '](x)',
    '](\\',
    '][',
    '[',
    '[1]:',
    '\n[1]: x',
    '\n[',
    '<a:',
    'https://',
    ' ',
    '\n',
    '*',
    'Google ',
    'Google*',
    'Google](x) ',
    'a ',
    'a* ',
    'Sony',
    'sony.',
    '\u0301',
    '…',
    '`',
    '_',
    '> ',
    '\\',
  ]

  /** Steps that grow by the square of it take minutes. */
  const length = 200_000
  const long = (sign: string) => sign.repeat(length)
  const texts = [
    `[1]: ${long('.')} x`,
    `[1]: a "${long('"')} x`,
    `[1]: a${long(' ')}x`,
    `[${long('1')}]: a`,
    `[x](${long('a')}`,
    `[x](${long('(a)')}`,
    `[x](${long('\\a')} x`,
    `[x](a "${long('b')}`,
    `[x](${long(' ')}`,
    `<a:${long('b')}`,
    `https://${long('a')}`,
    `Google${long(' ')}Pixel`,
    `Google${long('*')} Pixel`,
    `[Google](${long('a')}) Pixel`,
  ]

  test.each(texts.map((text) => [`${text.slice(0, 20)}…${text.slice(-5)}`, text]))(
    'a text that is %j takes less than two seconds of a processor',
    (_, text) => {
      expect(cpuMsOf(() => matcher.find(text))).toBeLessThan(2000)
    },
  )

  test.each(pieces)(
    '200,000 characters of %j take less than two seconds of a processor',
    (piece) => {
      const text = piece.repeat(Math.ceil(length / piece.length))
      expect(cpuMsOf(() => matcher.find(text))).toBeLessThan(2000)
    },
  )
})

test.skipIf(real.isAbsent)('the real answers name the brands that they list as products', () => {
  const answers = real.lines.map((line) => JSON.parse(line) as { text: string })
  const matcher = compileBrands([sony, brand(['Google'])])
  const found = answers.flatMap(({ text }) => matcher.find(text))
  const sum = (id: string) =>
    found.filter((one) => one.brandId === id).reduce((total, one) => total + one.occurrences, 0)
  const plain = (name: string) =>
    answers.reduce((total, { text }) => {
      const visible = text
        .replace(/\]\([^)\s]*\)|https?:\/\/\S+/g, '*')
        .replace(/^\[\d+\]: .*$/gm, '*')
        .replaceAll('Your feedback helps Google improve', '')
      const whole = new RegExp(`(?<![\\p{L}\\p{N}])${name}(?![\\p{L}\\p{N}])`, 'giu')
      // In answers without line ends, text ran together where tags stood: "TouchGoogle Pixel".
      const glued = new RegExp(
        `(?<=[a-z0-9])${name}(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}])${name}(?=[A-Z])`,
        'gu',
      )
      const ranTogether = text.includes('\n') ? [] : [...visible.matchAll(glued)]
      return total + [...visible.matchAll(whole)].length + ranTogether.length
    }, 0)
  expect(sum('Sony')).toBe(plain('Sony'))
  expect(sum('Google')).toBe(plain('Google'))
})
