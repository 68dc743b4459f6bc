import { expect, test } from 'vitest'
import { withoutMarks } from '../../../core/collecting/providers/marks.ts'
import { type BrandName, compileBrands } from '../../../core/text/mentions.ts'
import { withoutReasoning } from '../../../core/text/reasoning.ts'

/** Texts and names that a slow search would need minutes for: it ends within the time of a test. */

const own = (...names: readonly BrandName[]) =>
  compileBrands([{ id: 'own', isOwn: true, names, domains: [] }])
const named = (text: string, excludedPhrases: readonly string[] = []) => ({
  text,
  caseSensitive: false,
  excludedPhrases,
})
const times = (text: string, count: number) => text.repeat(count).trim()

test('a name in a hundred thousand of its excluded phrases', () => {
  const brands = own(named('acme', ['acme tree']))
  const text = times('acme tree ', 100_000)
  expect(brands.find(text)).toEqual([])
  const places = brands.places(`${text}. Acme.`)
  expect(places).toHaveLength(100_001)
  expect(places.filter(({ setAside }) => setAside === null)).toHaveLength(1)
})

test('excluded phrases that begin each other, in a text of them', () => {
  const phrases = Array.from({ length: 100 }, (_, i) => times('acme tree ', Math.min(i + 1, 20)))
  const brands = own(named('acme', phrases))
  expect(brands.find(times('acme tree ', 20_000))).toEqual([])
})

test('a hundred names that begin each other, in a text of them', () => {
  const names = Array.from({ length: 100 }, (_, i) => named(times('a ', i + 1)))
  const text = times('a ', 200_000)
  expect(own(...names).find(text)[0]?.firstAt).toBe(0)
})

test('a name that repeats itself, in a text that does', () => {
  expect(own(named(times('a ', 100))).find(times('a ', 200_000))).toHaveLength(1)
  expect(own(named('a'.repeat(200))).find('a'.repeat(400_000))).toEqual([])
})

test('a thousand brands in one text have their ranks', () => {
  const brands = Array.from({ length: 1000 }, (_, i) => {
    return { id: `b${i}`, isOwn: false, names: [named(`Brand${i}x`)], domains: [] }
  })
  const text = times(brands.map(({ names }) => names[0]?.text).join(' and '), 1)
  const found = compileBrands(brands).find(text)
  expect(found.map(({ rank }) => rank)).toEqual(Array.from({ length: 1000 }, (_, i) => i + 1))
})

test.each(['<think>\n', '</think> x\n', '<think>a</think>\n', '```\n', '  '])(
  'many times the tags of reasoning: %j',
  (part) => {
    expect(withoutReasoning(`Acme\n${times(part, 200_000)}`)).toMatch(/^Acme/)
  },
)

test.each(['\ue200cite', '\ue200a\ue202', 'citeturn0', 'citeturn0search1', '  '])(
  'many times a private mark: %j',
  (part) => {
    expect(withoutMarks(`Acme ${part.repeat(200_000)}\ue200`)).toMatch(/^Acme/)
  },
)
