import { expect, test } from 'vitest'
import { piecesOf } from '../../dashboard/parts/answer/marks.ts'

const mention = (id: string, isOwn: boolean) => ({
  brand: { id, name: id, isOwn },
  rank: 1,
  sentiment: null,
})
const citation = (position: number, url: string) => ({ position, url, domain: '', title: null })

/** The marks of a text: its brands by their ids, its sources by their positions. */
function marksOf(text: string, urls: readonly string[], places: readonly [string, string][] = []) {
  const pieces = piecesOf({
    text,
    places: places.map(([brand, name]) => {
      const start = text.indexOf(name)
      return { brand: { id: brand }, start, end: start + name.length }
    }),
    mentions: [mention('acme', true), mention('bolt', false)],
    citations: urls.map((url, i) => citation(i + 1, url)),
  })
  expect(pieces.map((piece) => piece.text).join('')).toBe(text)
  return pieces.flatMap((piece) => {
    const mark = piece.mention?.brand.id ?? piece.position
    return mark === undefined ? [] : [[piece.text, mark]]
  })
}

const urls = ['https://a.example/x', 'https://b.example/y?id=1']

test('brands are marked at their places, in the order of the text', () => {
  const places = [
    ['acme', 'ACME'],
    ['bolt', 'Bolt'],
  ] satisfies [string, string][]
  expect(marksOf('Bolt, then ACME.', [], places.toReversed())).toEqual([
    ['Bolt', 'bolt'],
    ['ACME', 'acme'],
  ])
})

test('a place of two brands, and of a brand that is no longer tracked, is marked once or not at all', () => {
  const text = 'Acme.'
  expect(
    marksOf(text, urls, [
      ['acme', 'Acme'],
      ['bolt', 'Acme'],
    ]),
  ).toEqual([['Acme', 'acme']])
  expect(marksOf(text, urls, [['gone', 'Acme']])).toEqual([])
})

test('an address in the text is its source, with other parameters and fragments too', () => {
  const text =
    'See [A](https://www.a.example/x/?utm_source=chatgpt.com#:~:text=1) and https://b.example/y?id=1. Not https://c.example.'
  expect(marksOf(text, urls)).toEqual([
    ['https://www.a.example/x/?utm_source=chatgpt.com#:~:text=1', 1],
    ['https://b.example/y?id=1', 2],
  ])
})

test('a number in brackets is the source of that place, unless the text defines it', () => {
  expect(marksOf('One[1][2], three [3], a link [1](https://c.example).', urls)).toEqual([
    ['[1]', 1],
    ['[2]', 2],
  ])
  const defined = 'One ([The B][7]) and [1].\n\n[7]: https://b.example/y?id=1 "B"\n'
  expect(marksOf(defined, urls)).toEqual([
    ['[7]', 2],
    ['[7]', 2],
    ['https://b.example/y?id=1', 2],
  ])
})
