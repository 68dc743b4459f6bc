import { expect, test } from 'vitest'
import { sentimentsOf } from '../../../core/text/answer-sentiment.ts'
import { compileBrands } from '../../../core/text/mentions.ts'
import { toneOf } from '../../../core/text/sentiment.ts'
import pairs from './hard-tones.json' with { type: 'json' }

/** Pairs of sentences in which the same words praise and blame, written before the rules saw them. */
const brands = compileBrands(
  ['Acme', 'Bolt'].map((text) => ({
    id: text,
    isOwn: text === 'Acme',
    names: [{ text, caseSensitive: false }],
    domains: [],
  })),
)

function toneOfAcme(text: string): string {
  const found = brands.find(text)
  const score = sentimentsOf(text, found, () => 'en')[
    found.findIndex(({ brandId }) => brandId === 'Acme')
  ]
  return score == null ? 'neutral' : toneOf(score)
}

test('36 hard pairs of praise and blame', () => {
  const right = pairs.map(([, ...sentences]) =>
    [0, 2].filter((at) => toneOfAcme(sentences[at] ?? '') === sentences[at + 1]),
  )
  expect({
    sentences: right.flat().length,
    pairs: right.filter(({ length }) => length === 2).length,
  }).toEqual({ sentences: 63, pairs: 27 })
})
