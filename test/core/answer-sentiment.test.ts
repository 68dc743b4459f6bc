import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sentimentsOf } from '../../core/text/answer-sentiment.ts'
import { compileBrands } from '../../core/text/mentions.ts'
import { sentencesOf } from '../../core/text/sentences.ts'
import { toneOf } from '../../core/text/sentiment.ts'
import { cpuMsOf } from '../kit/cpu.ts'

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
  const scores = sentimentsOf(text, found)
  return Object.fromEntries(found.map(({ brandId }, index) => [brandId, scores[index]]))
}

function tones(text: string): Record<string, string> {
  const entries = Object.entries(sentiments(text))
  return Object.fromEntries(
    entries.map(([name, score]) => [name, score == null ? 'unknown' : toneOf(score)]),
  )
}

describe('an answer speaks of a brand', () => {
  test('with the words of the sentences that name it, and no others', () => {
    expect(tones('Acme is excellent. Bolt is terrible. What a disaster!')).toEqual({
      Acme: 'positive',
      Bolt: 'negative',
    })
    expect(tones('Acme was founded in 1990. A great year.')).toEqual({ Acme: 'neutral' })
  })

  test('with the mean of these sentences, of those that hold an opinion', () => {
    const score = (text: string) => sentiments(text).Acme ?? Number.NaN
    const [good, bad] = [score('Acme is great.'), score('Acme is awful.')]
    expect([good, bad]).toEqual([0.6249, -0.4588])
    expect(score('Acme is great. Acme is awful.')).toBeCloseTo((good + bad) / 2, 4)
    expect(score('Acme is great. Acme sits in Berlin.')).toBe(good)
  })

  test('neutrally where it only names it', () => {
    expect(sentiments('Acme')).toEqual({ Acme: 0 })
    expect(sentiments('1. Acme\n2. Bolt')).toEqual({ Acme: 0, Bolt: 0 })
  })

  test('with a negation, and with emphasis', () => {
    expect(tones('Acme is not good.')).toEqual({ Acme: 'negative' })
    const [plain = 0, loud = 0] = ['Acme is good.', 'Acme is very good!'].map(
      (text) => sentiments(text).Acme ?? 0,
    )
    expect(loud).toBeGreaterThan(plain)
  })

  test('but not with its own name', () => {
    expect(sentiments('Best Buy has it in stock.')).toEqual({ 'Best Buy': 0 })
  })

  test.each([
    [
      'a heading',
      '### 1. Acme One – $199\n\nAn excellent choice.\n\nBad weather.\n\n### 2. Bolt\n',
    ],
    ['a label in bold', '**Acme One**\n- Great sound\n- Lovely\n\nBad weather.\n\n* **Bolt:**'],
  ])('under %s, with the paragraph beneath it', (_, text) => {
    expect(tones(text)).toEqual({ Acme: 'positive', Bolt: 'neutral' })
  })

  test('through Markdown, and never with the words of an address', () => {
    expect(tones('| **Acme** | _excellent_ |')).toEqual({ Acme: 'positive' })
    expect(sentiments('[Acme](https://example.com/awful "A great page") is here')).toEqual({
      Acme: 0,
    })
    expect(sentiments('Acme: https://example.com/awful')).toEqual({ Acme: 0 })
  })

  test('in no way that is known, where the answer is not in English', () => {
    const german =
      'Die Kopfhörer von Acme sind gut, und der Akku hält lange. Die Bügel von Bolt drücken, und ' +
      'der Klang war beim letzten Vergleich für die meisten Ohren zu dünn.'
    expect(sentiments(german)).toEqual({ Acme: null, Bolt: null })
    expect(sentiments('Acme は最高です')).toEqual({ Acme: null })
  })

  test('the same each time, between -1 and 1, whatever the text', () => {
    const words = fc.constantFrom('Acme', 'Bolt', 'great', 'awful', 'not', '. ', '\n\n', '# ', '**')
    const texts = fc.array(fc.oneof(words, fc.string()), { maxLength: 40 })
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join(' ')
        const found = brands.find(text)
        const scores = sentimentsOf(text, found)
        expect(scores).toHaveLength(found.length)
        for (const score of scores) expect(Math.abs(score ?? 0)).toBeLessThanOrEqual(1)
        expect(sentimentsOf(text, found)).toEqual(scores)
      }),
    )
  })
})

describe('sentences', () => {
  const split = (text: string) =>
    sentencesOf(text).sentences.map(({ start, end }) => text.slice(start, end).trim())

  test('end with a line, or where a capital follows their mark', () => {
    expect(split('One v. 2.5 vs. Two? Yes! (Maybe.) "Quoted." Then\nnext\n\n- last')).toEqual([
      'One v.',
      '2.5 vs. Two?',
      'Yes!',
      '(Maybe.)',
      '"Quoted."',
      'Then',
      'next',
      '- last',
    ])
  })

  test('leave out line ends alone, and are cut where they have no end', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { sentences, lines } = sentencesOf(text)
        const lengths = sentences.map(({ start, end }) => end - start)
        expect(lengths.every((length) => length > 0 && length <= 1000)).toBe(true)
        expect(sentences.every(({ line }) => line < lines.length)).toBe(true)
        const left = sentences.map(({ start, end }) => text.slice(start, end)).join('')
        expect(left.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      }),
    )
    expect(split('word '.repeat(500)).map((part) => part.length)).toEqual([999, 999, 499])
  })

  test('of a long text take time in proportion to its length', () => {
    const parts = ['Acme good but ', '# Acme ', '.', '\n', ' ', '*', '!\n \n', '](', '[Acme](', '"']
    const prose = 'the best of and for with that are '.repeat(40)
    for (const part of parts) {
      const text = `${prose}\n${part.repeat(400_000 / part.length)} Acme`
      const found = brands.find(text)
      const spentMs = cpuMsOf(() => sentimentsOf(text, found))
      expect(spentMs, JSON.stringify(part)).toBeLessThan(4000)
    }
  })
})
