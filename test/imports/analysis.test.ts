import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openAnalysis } from '../../imports/answers/analysis.ts'

const brands = ['Acme', 'Bolt'].map((text, index) => ({
  id: text,
  isOwn: index === 0,
  names: [{ text, caseSensitive: false }],
  domains: [],
}))

/** Turns of the event loop while the work is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false]
  work.finally(() => {
    isOver = true
  })
  for (; !isOver; turns++) await nextTurn()
  return turns
}

const praise = (name: string) => `${name} is excellent and reliable. `
const of = (text: string) => ({ text, platform: 'chatgpt' })

test('answers are counted alike, in one go and in threads', async () => {
  const texts = [praise('Acme'), `${praise('Bolt')}${praise('Acme')}`, 'Nobody.'].map(of)
  const few = await openAnalysis(brands)(texts)
  expect(few.map((found) => found.map(({ brandId, rank }) => [brandId, rank]))).toEqual([
    [['Acme', 1]],
    [
      ['Bolt', 1],
      ['Acme', 2],
    ],
    [],
  ])
  expect(few[0]?.[0]).toMatchObject({ isOwn: true, occurrences: 1 })
  expect(few[0]?.[0]?.sentiment).toBeGreaterThan(0)
  const many = Array.from({ length: 1000 }, () => texts).flat()
  const counted = await openAnalysis(brands)(many)
  expect(counted).toEqual(Array.from({ length: 1000 }, () => few).flat())
})

test('without the tone only names are counted', async () => {
  const [[found] = []] = await openAnalysis(brands, { withTone: false })([of(praise('Acme'))])
  expect(found).toEqual({
    brandId: 'Acme',
    isOwn: true,
    occurrences: 1,
    rank: 1,
    rankBasis: 'text',
    sentiment: null,
  })
})

test('a long text keeps no other work waiting', async () => {
  const text = praise('Acme').repeat(100_000)
  const counting = openAnalysis(brands, { withTone: false })([of(text)])
  expect(await turnsDuring(counting)).toBeGreaterThan(20)
  expect((await counting)[0]?.[0]).toMatchObject({ occurrences: 100_000 })
})
