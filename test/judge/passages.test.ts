import { expect, test } from 'vitest'
import { passagesOf } from '../../core/text/judge/passages.ts'
import { type Brand, compileBrands } from '../../core/text/mentions.ts'

const brand = (name: string): Brand => ({
  id: name,
  isOwn: name === 'Acme',
  domains: [],
  names: [{ text: name, caseSensitive: false }],
})
const brands = compileBrands([brand('Acme'), brand('Bolt')])

/** The passages by brand. */
const passages = (text: string) => {
  const found = brands.find(text)
  return Object.fromEntries(
    passagesOf(text, found).map((passage, i) => [found[i]?.brandId, passage]),
  )
}

test.each([
  [
    'Acme is light. It lasts long. Bolt breaks.',
    { Acme: 'Acme is light. It lasts long.', Bolt: 'Bolt breaks.' },
  ],
  [
    'Many stores exist. Acme is light, but Bolt is heavy.',
    { Acme: 'Acme is light,', Bolt: 'but Bolt is heavy.' },
  ],
  [
    'Bolt is lighter than Acme.',
    { Acme: 'Bolt is lighter than Acme.', Bolt: 'Bolt is lighter than Acme.' },
  ],
  ['Acme ist leicht. Bolt ist schwer.', { Acme: 'Acme ist leicht.', Bolt: 'Bolt ist schwer.' }],
  ['Acme\nBolt', { Acme: null, Bolt: null }],
  [
    '## Acme\n\nPros: light\nCons: heavy case\n\n## Bolt\n\nSturdy.',
    { Acme: 'Pros: light\nCons: heavy case', Bolt: 'Sturdy.' },
  ],
])('%j has the passages of its clauses', (text, expected) => {
  expect(passages(text)).toEqual(expected)
})

test('clauses that are far apart are joined by an ellipsis', () => {
  const between = 'Nobody says which of all these many shops is the best one for any given person. '
  const { Acme } = passages(`Acme is light. Bolt is heavy. ${between}${between}Acme is fast.`)
  expect(Acme).toBe('Acme is light. … Acme is fast.')
})

test('a passage has at most 1,200 characters', () => {
  const { Acme } = passages('Acme is light, and lighter than all. '.repeat(100))
  expect(Acme?.length).toBe(1200)
})
