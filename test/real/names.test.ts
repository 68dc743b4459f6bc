import { expect, test } from 'vitest'
import { isExact } from '../../core/text/match-modes.ts'
import { compileBrands } from '../../core/text/mentions.ts'
import { realData } from '../kit/real-data.ts'
import labels from './named-brands.json' with { type: 'json' }

/**
 * Who is named in the 264 answers of the first run, against labels. A distinctive name in its own spelling counts
 * as named. One reader read every other place with the letters of a brand.
 */
const real = realData('data/answers-product-bench.jsonl')
const answers = real.lines
  .map((line) => JSON.parse(line) as { text: string; platform: string; run: number })
  .filter(({ run }) => run === 1)

const matcher = compileBrands(
  labels.brands.map((text) => ({
    id: text,
    isOwn: false,
    names: [{ text, caseSensitive: isExact(text, null) }],
    domains: [],
  })),
)

function measure(half: (index: number) => boolean) {
  const total = { right: 0, wrong: 0, missed: 0 }
  for (const [index, { text, platform }] of answers.entries()) {
    if (!half(index)) continue
    const named = new Set(labels.named[index])
    const found = matcher.find(text, platform).map(({ brandId }) => brandId)
    const right = found.filter((brand) => named.has(brand)).length
    total.right += right
    total.wrong += found.length - right
    total.missed += named.size - right
  }
  return total
}

test.skipIf(real.isAbsent)(
  'names in 264 real answers agree with the labels in F1 over 0.99',
  () => {
    expect(answers).toHaveLength(labels.named.length)
    for (const half of [(at: number) => at % 2 === 0, (at: number) => at % 2 === 1]) {
      const { right, wrong, missed } = measure(half)
      expect((2 * right) / (2 * right + wrong + missed)).toBeGreaterThan(0.99)
    }
  },
)
