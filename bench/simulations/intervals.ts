import { type Bounds, intervalsOf, type Squares } from '../../core/intervals/intervals.ts'
import { wilsonBounds } from '../../core/metrics.ts'
import { say } from '../service.ts'
import { random, shareOfPrompt } from './draws.ts'

/**
 * node bench/simulations/intervals.ts [rounds]
 *
 * Simulates answers to prompts on two platforms, whose shares follow a beta distribution, and prints how many of the
 * 95 % intervals hold the truth. It needs no store and gives the same numbers in every run.
 */
const rounds = Number(process.argv[2] ?? 2000)
const platforms = 2

const plus = (a: Squares, b: Squares): Squares => ({
  aa: a.aa + b.aa,
  ab: a.ab + b.ab,
  bb: a.bb + b.bb,
})

/** One draw: its counts by prompt, and the share that the same prompts would have in the long run. */
function draw(prompts: number, answers: number, p: number, correlation: number) {
  const perStratum = answers / platforms
  let [a, lasting, spreads] = [0, 0, 0]
  let ofPrompts: Squares = { aa: 0, ab: 0, bb: 0 }
  let ofStrata = ofPrompts
  for (let j = 0; j < prompts; j++) {
    const own = shareOfPrompt(p, correlation)
    let counted = 0
    for (let s = 0; s < platforms; s++) {
      let k = 0
      for (let i = 0; i < perStratum; i++) if (random() < own) k++
      const within = (perStratum / (perStratum - 1)) * (k - k ** 2 / perStratum)
      ofStrata = plus(ofStrata, { aa: within, ab: 0, bb: 0 })
      spreads += within ** 2 / (perStratum + 1)
      counted += k
    }
    lasting += own / prompts
    a += counted
    ofPrompts = plus(ofPrompts, { aa: counted ** 2, ab: answers * counted, bb: answers ** 2 })
  }
  const b = prompts * answers
  const ofAnswers = { aa: a, ab: a, bb: b }
  const powers = { bbb: prompts * answers ** 3, bbbb: prompts * answers ** 4 }
  const weights = (prompts * platforms * perStratum ** 2) / (perStratum - 1)
  return {
    sample: {
      a,
      b,
      prompts,
      ofAnswers,
      ofPrompts: { ...ofPrompts, ...powers },
      ofStrata: { ...ofStrata, weights, spreads },
    },
    lasting,
  }
}

const holds = (bounds: Bounds | null, truth: number) =>
  bounds !== null && bounds.low <= truth + 1e-12 && truth <= bounds.high + 1e-12 ? 1 : 0

const sums = [0, 0, 0]
let settings = 0
say('| p | correlation | prompts | answers each | questions like these | exactly these | Wilson |')
say('|---|---|---|---|---|---|---|')
for (const p of [0.1, 0.4]) {
  for (const correlation of [0, 0.1, 0.3, 0.6]) {
    for (const prompts of [10, 25, 50, 100]) {
      for (const answers of [6, 30]) {
        const held = [0, 0, 0]
        for (let round = 0; round < rounds; round++) {
          const { sample, lasting } = draw(prompts, answers, p, correlation)
          const { questions, basket } = intervalsOf(sample, 'proportion')
          const found = [
            holds(questions, p),
            holds(basket, lasting),
            holds(wilsonBounds(sample.a, sample.b), p),
          ]
          found.forEach((hit, i) => {
            held[i] = (held[i] ?? 0) + (100 * hit) / rounds
          })
        }
        held.forEach((percent, i) => {
          sums[i] = (sums[i] ?? 0) + percent
        })
        settings++
        const cells = [p, correlation, prompts, answers, ...held.map((it) => it.toFixed(1))]
        say(`| ${cells.join(' | ')} |`)
      }
    }
  }
}
say(`| mean | | | | ${sums.map((it) => (it / settings).toFixed(1)).join(' | ')} |`)
