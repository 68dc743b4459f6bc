import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sentimentsOf } from '../../../core/text/answer-sentiment.ts'
import { languageOf } from '../../../core/text/languages/detect.ts'
import { compileBrands } from '../../../core/text/mentions.ts'
import { toneOf } from '../../../core/text/sentiment.ts'
import { cpuMsOf } from '../../kit/cpu.ts'

const names = ['Acme', 'Bolt', 'Best Buy']
const brands = compileBrands(
  names.map((text) => ({
    id: text,
    isOwn: text === 'Acme',
    names: [{ text, caseSensitive: false }],
    domains: [],
  })),
)

/** The sentiment of each brand that the text names. */
function sentiments(text: string): Record<string, number | null | undefined> {
  const found = brands.find(text)
  const scores = sentimentsOf(text, found, languageOf)
  return Object.fromEntries(found.map(({ brandId }, index) => [brandId, scores[index]]))
}

function tones(text: string): Record<string, string> {
  const entries = Object.entries(sentiments(text))
  return Object.fromEntries(
    entries.map(([name, score]) => [name, score == null ? 'unknown' : toneOf(score)]),
  )
}

/** `+`, `-` and `0` are tones; `?` is none. */
function signs(text: string): string {
  const signed = { positive: '+', neutral: '0', negative: '-', unknown: '?' }
  return Object.entries(tones(text))
    .map(([name, tone]) => `${name} ${signed[tone as keyof typeof signed]}`)
    .join(', ')
}

describe('an answer speaks of a brand', () => {
  test.each([
    ['Acme is excellent. Bolt is terrible. What a disaster!', 'Acme +, Bolt -'],
    ['Acme was founded in 1998 in Berlin and employs 300 people.', 'Acme 0'],
    ['Acme suffered a data breach in 2023, and regulators fined it.', 'Acme -'],
    ['Users are wary of Acme since the lawsuit.', 'Acme -'],
    ['Acme faces a recall of its batteries.', 'Acme -'],
    ['Acme has been discontinued.', 'Acme -'],
    ['Acme is overpriced for small teams.', 'Acme -'],
    ['Acme is restricted to customers in the US.', 'Acme -'],
    ['Approach Acme with caution.', 'Acme -'],
    ['Avoid Acme.', 'Acme -'],
    ['The main drawback of Acme is its steep learning curve.', 'Acme -'],
    ['Customers complain about slow support at Acme.', 'Acme -'],
    ['Best overall: Acme', 'Acme +'],
    ['Acme is the market leader.', 'Acme +'],
  ])('with words that praise or blame: %s', (text, expected) => {
    expect(signs(text)).toBe(expected)
  })

  test.each([
    ['Acme offers security features and free sharing that people like.', 'Acme 0'],
    ['Acme is a trust company that shares popular files.', 'Acme 0'],
    ['Acme protects against data breaches and vulnerabilities.', 'Acme 0'],
    ['Acme helps teams to find bugs and avoid outages.', 'Acme 0'],
  ])('but what a product does is no praise and no blame: %s', (text, expected) => {
    expect(signs(text)).toBe(expected)
  })

  test.each([
    ['Acme is great, but Bolt falls short.', 'Acme +, Bolt -'],
    ['While Acme used to lead, Bolt is now the best choice.', 'Bolt +, Acme -'],
    ['Acme is expensive for what it does, whereas Bolt is reliable.', 'Acme -, Bolt +'],
    ['Acme and Bolt are both excellent.', 'Acme +, Bolt +'],
    ['I would avoid Acme; choose Bolt instead.', 'Bolt ?, Acme -'],
    [
      '| Brand | Verdict |\n|---|---|\n| Acme | excellent value |\n| Bolt | prone to crashes |',
      'Acme +, Bolt -',
    ],
    ['Acme is reliable. It is also easy to use. However, it is expensive.', 'Acme 0'],
  ])('in clauses: %s', (text, expected) => {
    expect(signs(text)).toBe(expected)
  })

  test.each([
    ['Acme leads the market for running shoes.', 'Acme +'],
    ['Acme is our first choice for small teams.', 'Acme +'],
    ['Acme ranks first among budget phones.', 'Acme +'],
    ['Acme takes first place, Bolt comes last.', 'Acme +, Bolt -'],
    ['1. Acme – best overall\n2. Bolt – runner-up', 'Acme +, Bolt +'],
    ['Acme leads to higher costs.', 'Acme -'],
  ])('by its place: %s', (text, expected) => {
    expect(signs(text)).toBe(expected)
  })

  test.each([
    ['Acme is no longer unreliable.', 'Acme +'],
    ['Acme is no longer the best choice.', 'Acme -'],
    ['Acme used to be slow, but that has been fixed.', 'Acme +'],
    ['Acme used to be great.', 'Acme -'],
    ['Acme fixed the battery issues of its first model.', 'Acme +'],
  ])('by what was and is no more: %s', (text, expected) => {
    expect(signs(text)).toBe(expected)
  })

  test.each([
    ['Although it is expensive, Acme is the best headphone you can buy.', 'Acme +'],
    ['Despite its high price, Acme is excellent.', 'Acme +'],
    ['Acme is cheap, but it breaks quickly.', 'Acme -'],
    ['Although Acme is slow, it is a phone.', 'Acme -'],
  ])('by the main clause more than by what it concedes: %s', (text, expected) => {
    expect(signs(text)).toBe(expected)
  })

  test.each([
    ['If you hate terrible support, Acme is a good choice.', 'Acme +'],
    ['Acme is a good choice if you hate cables and slow menus.', 'Acme +'],
    ['If you love Acme, beware of its awful, unreliable remote.', 'Acme -'],
  ])('and not by the tastes of the reader: %s', (text, expected) => {
    expect(signs(text)).toBe(expected)
  })

  test.each([
    ['## Skip\n\n- Acme\n- Bolt', 'Acme -, Bolt -'],
    ['### Brands to avoid\n\n- Acme\n\n### Others\n\nBolt ships lamps.', 'Acme -, Bolt ?'],
    ['Avoid:\n- Acme\n\nBolt ships lamps every day.', 'Acme -, Bolt 0'],
    ['**Skip these:**\n- Acme: it ships lamps every day', 'Acme -'],
    ['Avoid: Acme and Bolt.', 'Acme -, Bolt -'],
    ['Our top picks:\n- Acme', 'Acme +'],
  ])('by the title of its list: %j', (text, expected) => {
    const before =
      'These are the brands that you can find in most of the shops, with what they have.'
    expect(signs(`${before}\n\n${text}`)).toBe(expected)
  })

  test.each([
    ['Acme is better than Bolt.', 'Acme +, Bolt -'],
    ['Acme is not as reliable as Bolt.', 'Acme -, Bolt +'],
    ['Bolt lags behind Acme in features.', 'Bolt -, Acme +'],
    ['Unlike Acme, Bolt is easy to set up.', 'Bolt +, Acme -'],
    ['Compared with Acme, Bolt is slow and unreliable.', 'Acme +, Bolt -'],
    ['I recommend Acme over Bolt.', 'Acme +, Bolt -'],
    ['Bolt is inferior to Acme.', 'Bolt -, Acme +'],
    ['Bolt is beaten by Acme.', 'Bolt -, Acme +'],
  ])('in comparisons, which praise one side: %s', (text, expected) => {
    expect(signs(text)).toBe(expected)
  })

  test.each([
    ['Acme is not good.', 'Acme -'],
    ['Acme is not recommended for beginners.', 'Acme -'],
    ["Acme isn't bad.", 'Acme +'],
    ['Nothing beats Acme.', 'Acme +'],
    ['Acme has no problems with outages.', 'Acme +'],
    ['You will not regret buying Acme.', 'Acme +'],
    ['Acme does not disappoint.', 'Acme +'],
    ['You can’t go wrong with Acme.', 'Acme +'],
    ['There is no better phone than Acme.', 'Acme +'],
    ['Acme leaves nothing to be desired.', 'Acme +'],
    ['Acme leaves a lot to be desired.', 'Acme -'],
    ['Acme is not without flaws.', 'Acme -'],
    ['Acme is anything but reliable.', 'Acme -'],
    ['Acme is far from perfect.', 'Acme -'],
    ['Acme never fails to impress.', 'Acme +'],
    ['I cannot recommend Acme.', 'Acme -'],
    ['Acme is not new. Great support is what people praise.', 'Acme +'],
  ])('with negations: %s', (text, expected) => {
    expect(signs(text)).toBe(expected)
  })

  test.each([
    ['Acme', 'Acme ?'],
    ['1. Acme\n2. Bolt', 'Acme ?, Bolt ?'],
    ['Companies such as Acme and Bolt sell laptops.', 'Acme ?, Bolt ?'],
    ['You can buy it at Acme or on Bolt.', 'Acme ?, Bolt ?'],
    ['Acme One 5G Phone$399.00$499.004.7(2k+)', 'Acme ?'],
  ])('not at all where it only names it: %s', (text, expected) => {
    expect(signs(text)).toBe(expected)
  })

  test('but not with its own name', () => {
    expect(signs('Best Buy has it in stock.')).toBe('Best Buy 0')
  })

  test.each([
    ['a heading', '### 1. Acme One – $199\n\nAn excellent choice.\n\n### 2. Bolt\n\nBad value.'],
    ['a label in bold', '**Acme One**\n- Great sound\n- Lovely\n\n**Bolt**\n- Awful\n'],
    ['a list item', '1. Acme One\n   - Great sound\n2. Bolt\n   - Awful\n'],
    [
      'labels',
      '## Acme\n**Pros:**\n- works offline\n**Price:** $5\n\n## Bolt\n**Cons:**\n- one window only',
    ],
    ['a title above', '### Best value\n**Acme One**\n\n### A clear disappointment\n**Bolt**'],
    ['run-on labels', 'Acme One: Pros: fits any hand.Bolt Two: Cons: one window only.'],
  ])('under %s', (_, text) => {
    expect(signs(text)).toBe('Acme +, Bolt -')
  })

  test.each([
    ['a rule', '## Acme\n\nIt ships lamps every day.\n\n---\n\nA terrible year.'],
    [
      'general advice',
      'Acme ships lamps every day. Things to consider: avoid cheap cables, which are terrible.',
    ],
    ['another name', 'Acme ships lamps every day. Nonesuch: a terrible lamp.'],
  ])('until %s', (_, text) => {
    expect(signs(text)).toBe('Acme 0')
  })

  test('through Markdown, and never with the words of an address', () => {
    expect(tones('| **Acme** | _excellent_ |')).toEqual({ Acme: 'positive' })
    expect(signs('[Acme](https://example.com/awful "A great page") is here today')).toBe('Acme 0')
    expect(signs('Acme: https://example.com/awful')).toBe('Acme ?')
  })

  test('in no way that is known, where the language has no rules', () => {
    const swedish =
      'Hörlurarna från Acme är bra, och batteriet räcker länge. Bygeln på Bolt trycker, och ' +
      'ljudet var vid den senaste jämförelsen för tunt för de flesta öron.'
    expect(sentiments(swedish)).toEqual({ Acme: null, Bolt: null })
    expect(sentiments('Acme は最高です')).toEqual({ Acme: null })
    expect(sentiments('Bateria w Acme działa bardzo długo.')).toEqual({ Acme: null })
  })

  test('the same each time, between -1 and 1, whatever the text', () => {
    const words = fc.constantFrom('Acme', 'Bolt', 'great', 'awful', 'not', '. ', '\n\n', '# ', '**')
    const texts = fc.array(fc.oneof(words, fc.string()), { maxLength: 40 })
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join(' ')
        const found = brands.find(text)
        const scores = sentimentsOf(text, found, languageOf)
        expect(scores).toHaveLength(found.length)
        for (const score of scores) expect(Math.abs(score ?? 0)).toBeLessThanOrEqual(1)
        expect(sentimentsOf(text, found, languageOf)).toEqual(scores)
      }),
    )
  })
})

describe('clauses', () => {
  test('of a long text take time in proportion to its length', () => {
    const parts = ['Acme good but ', '# Acme ', '.', '\n', ' ', '*', '!\n \n', '](', '[Acme](', '"']
    const prose = 'the best of and for with that are '.repeat(40)
    for (const part of parts) {
      const text = `${prose}\n${part.repeat(400_000 / part.length)} Acme`
      const found = brands.find(text)
      const spentMs = cpuMsOf(() => sentimentsOf(text, found, languageOf))
      expect(spentMs, JSON.stringify(part)).toBeLessThan(4000)
    }
  })
})
