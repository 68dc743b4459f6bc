import type { Sample, Squares } from '../../core/intervals/intervals.ts'

/** What one answer adds to the numerator and the denominator. */
export interface Counted {
  readonly prompt: string
  readonly platform: string
  readonly a: number
  readonly b: number
}

const add = (rows: readonly Counted[], of: (row: Counted) => number) =>
  rows.reduce((sum, row) => sum + of(row), 0)

const squaresOf = (rows: readonly Counted[]): Squares => ({
  aa: add(rows, ({ a }) => a * a),
  ab: add(rows, ({ a, b }) => a * b),
  bb: add(rows, ({ b }) => b * b),
})

const total = (rows: readonly Squares[]): Squares => ({
  aa: rows.reduce((sum, { aa }) => sum + aa, 0),
  ab: rows.reduce((sum, { ab }) => sum + ab, 0),
  bb: rows.reduce((sum, { bb }) => sum + bb, 0),
})

/** The sums that the warehouse makes, from single answers. */
export function sampleOf(answers: readonly Counted[]): Sample {
  const prompts = [...Map.groupBy(answers, ({ prompt }) => prompt).values()]
  const strata = [...Map.groupBy(answers, (row) => `${row.prompt} ${row.platform}`).values()]
  const single = strata.flatMap((rows) => (rows.length === 1 ? rows : []))
  const pooled = [
    ...strata.filter((rows) => rows.length > 1),
    ...[...Map.groupBy(single, ({ platform }) => platform).values()].filter((it) => it.length > 1),
  ]
  const within = pooled.map((rows) => {
    const [m, a, b] = [rows.length, add(rows, (row) => row.a), add(rows, (row) => row.b)]
    const { aa, ab, bb } = squaresOf(rows)
    const scaled = (squares: number, product: number) => (m / (m - 1)) * (squares - product / m)
    const squares = { aa: scaled(aa, a * a), ab: scaled(ab, a * b), bb: scaled(bb, b * b) }
    return { ...squares, weight: (b * b) / (m - 1), spread: squares.aa ** 2 / (m + 1) }
  })
  const sums = prompts.map((rows) => ({
    prompt: '',
    platform: '',
    a: add(rows, ({ a }) => a),
    b: add(rows, ({ b }) => b),
  }))
  return {
    a: add(answers, ({ a }) => a),
    b: add(answers, ({ b }) => b),
    prompts: sums.filter(({ b }) => b > 0).length,
    ofAnswers: squaresOf(answers),
    ofPrompts: {
      ...squaresOf(sums),
      bbb: add(sums, ({ b }) => b ** 3),
      bbbb: add(sums, ({ b }) => b ** 4),
    },
    ofStrata:
      within.length > 0
        ? {
            ...total(within),
            weights: within.reduce((sum, { weight }) => sum + weight, 0),
            spreads: within.reduce((sum, { spread }) => sum + spread, 0),
          }
        : null,
  }
}
