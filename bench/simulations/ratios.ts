import {
  type Bounds,
  intervalsOf,
  type Kind,
  type Squares,
} from '../../core/intervals/intervals.ts'
import { isSignificant, type Pair, pairedInterval } from '../../core/intervals/paired.ts'
import { say } from '../service.ts'
import { random, shareOfPrompt } from './draws.ts'

/**
 * node bench/simulations/ratios.ts [rounds]
 *
 * Simulates ratios that are no proportions, and changes between two windows, and prints how many of the 95 % intervals
 * hold the truth. It needs no store and gives the same numbers in every run.
 */
const rounds = Number(process.argv[2] ?? 2000)
const platforms = 2

/** What an answer adds to the ratio: numerator and denominator; null for nothing. */
type Answer = readonly [a: number, b: number]

/** A prompt's own ways: the chances by which its answers are drawn. */
interface Ways {
  draw(): Answer
  /** The mean of both, in the long run. */
  readonly mean: Answer
}

interface Ratio {
  readonly name: string
  readonly kind: Kind
  waysOf(correlation: number): Ways
}

/** The own brand is named by 40 %, each of three competitors by 30 %; each has a chance of its own in a prompt. */
const shareOfVoice: Ratio = {
  name: 'share of voice',
  kind: 'share',
  waysOf(correlation) {
    const own = shareOfPrompt(0.4, correlation)
    const others = [0, 1, 2].map(() => shareOfPrompt(0.3, correlation))
    return {
      draw() {
        const a = random() < own ? 1 : 0
        return [a, others.reduce((sum, each) => sum + (random() < each ? 1 : 0), a)]
      },
      mean: [own, others.reduce((sum, each) => sum + each, own)],
    }
  },
}

/** Half of the answers name the brand: of them 60 % praise it, and half of the others blame it. */
const sentiment: Ratio = {
  name: 'sentiment',
  kind: 'share',
  waysOf(correlation) {
    const named = shareOfPrompt(0.5, correlation)
    const praised = shareOfPrompt(0.6, correlation)
    const blamed = (1 - praised) / 2
    return {
      draw() {
        if (random() >= named) return [0, 0]
        const tone = random()
        return [tone < praised ? 1 : tone < praised + blamed ? 0 : 0.5, 1]
      },
      mean: [named * (praised + blamed / 2), named],
    }
  },
}

/** Half of the answers name the brand, after up to four others. */
const position: Ratio = {
  name: 'average position',
  kind: 'rank',
  waysOf(correlation) {
    const named = shareOfPrompt(0.5, correlation)
    const before = shareOfPrompt(0.4, correlation)
    return {
      draw() {
        if (random() >= named) return [0, 0]
        let rank = 1
        for (let other = 0; other < 4; other++) if (random() < before) rank++
        return [rank, 1]
      },
      mean: [named * (1 + 4 * before), named],
    }
  },
}

/** 40 % of the answers count. */
const proportion: Ratio = {
  name: 'visibility',
  kind: 'proportion',
  waysOf(correlation) {
    const own = shareOfPrompt(0.4, correlation)
    return { draw: () => [random() < own ? 1 : 0, 1], mean: [own, 1] }
  },
}

const nothing: Squares = { aa: 0, ab: 0, bb: 0 }
const plus = (sum: Squares, a: number, b: number, by = 1): Squares => ({
  aa: sum.aa + by * a * a,
  ab: sum.ab + by * a * b,
  bb: sum.bb + by * b * b,
})

function sampleOf(ways: readonly Ways[], answers: number) {
  const perStratum = answers / platforms
  let [a, b, prompts] = [0, 0, 0]
  let [bbb, bbbb, weights, spreads] = [0, 0, 0, 0]
  let [ofAnswers, ofPrompts, ofStrata] = [nothing, nothing, nothing]
  for (const { draw } of ways) {
    let [ownA, ownB] = [0, 0]
    for (let s = 0; s < platforms; s++) {
      let [sumA, sumB] = [0, 0]
      let squares = nothing
      for (let i = 0; i < perStratum; i++) {
        const [x, y] = draw()
        squares = plus(squares, x, y)
        sumA += x
        sumB += y
      }
      ofAnswers = {
        aa: ofAnswers.aa + squares.aa,
        ab: ofAnswers.ab + squares.ab,
        bb: ofAnswers.bb + squares.bb,
      }
      const within = plus(squares, sumA, sumB, -1 / perStratum)
      const by = perStratum / (perStratum - 1)
      ofStrata = {
        aa: ofStrata.aa + by * within.aa,
        ab: ofStrata.ab + by * within.ab,
        bb: ofStrata.bb + by * within.bb,
      }
      weights += sumB ** 2 / (perStratum - 1)
      spreads += (by * within.aa) ** 2 / (perStratum + 1)
      ownA += sumA
      ownB += sumB
    }
    if (ownB > 0) prompts++
    ofPrompts = plus(ofPrompts, ownA, ownB)
    bbb += ownB ** 3
    bbbb += ownB ** 4
    a += ownA
    b += ownB
  }
  return {
    a,
    b,
    prompts,
    ofAnswers,
    ofPrompts: { ...ofPrompts, bbb, bbbb },
    ofStrata: { ...ofStrata, weights, spreads },
  }
}

const holds = ({ low, high }: Bounds, truth: number) =>
  low <= truth + 1e-12 && truth <= high + 1e-12

const ratioOf = (ways: readonly Ways[]) => {
  const [a, b] = ways.reduce(([x, y], { mean }) => [x + mean[0], y + mean[1]], [0, 0])
  return a / b
}

/** Percent of what a count is out of. */
class Share {
  #hits = 0
  #of = 0
  add(hit: boolean): void {
    this.#of++
    if (hit) this.#hits++
  }
  toString(): string {
    return this.#of === 0 ? '–' : ((100 * this.#hits) / this.#of).toFixed(1)
  }
}

const settings = [0.1, 0.5].flatMap((correlation) =>
  [10, 25, 50, 100].flatMap((prompts) =>
    [6, 30].map((answers) => ({ correlation, prompts, answers })),
  ),
)

const waysOf = ({ waysOf: make }: Ratio, prompts: number, correlation: number) =>
  Array.from({ length: prompts }, () => make(correlation))

say('| ratio | correlation | prompts | answers each | questions like these | exactly these |')
say('|---|---|---|---|---|---|')
for (const ratio of [shareOfVoice, sentiment, position]) {
  const whole = [new Share(), new Share()] as const
  for (const { correlation, prompts, answers } of settings) {
    const truth = ratioOf(waysOf(ratio, 200_000, correlation))
    const held = [new Share(), new Share()] as const
    for (let round = 0; round < rounds; round++) {
      const ways = waysOf(ratio, prompts, correlation)
      const { questions, basket } = intervalsOf(sampleOf(ways, answers), ratio.kind)
      for (const shares of [held, whole]) {
        if (questions) shares[0].add(holds(questions, truth))
        if (basket) shares[1].add(holds(basket, ratioOf(ways)))
      }
    }
    say(`| ${[ratio.name, correlation, prompts, answers, ...held].join(' | ')} |`)
  }
  say(`| ${[ratio.name, 'mean', '', '', ...whole].join(' | ')} |`)
}

/** The ways of a prompt in the other window: a part of the prompts gets new ways. */
function later(ratio: Ratio, ways: readonly Ways[], correlation: number): Ways[] {
  return ways.map((each) => (random() < 0.3 ? ratio.waysOf(correlation) : each))
}

function pairsOf(now: readonly Ways[], before: readonly Ways[], answers: number): Pair[] {
  const partOf = ({ draw }: Ways) => {
    let [n, d] = [0, 0]
    for (let i = 0; i < answers; i++) {
      const [a, b] = draw()
      n += a
      d += b
    }
    return { n, d }
  }
  return now.map((ways, at) => ({ now: partOf(ways), before: partOf(before[at] ?? ways) }))
}

say('')
say('| change of | correlation | prompts | answers each | holds | wrongly significant |')
say('|---|---|---|---|---|---|')
for (const ratio of [proportion, shareOfVoice, sentiment, position]) {
  const whole = [new Share(), new Share()] as const
  for (const { correlation, prompts, answers } of settings) {
    const held = [new Share(), new Share()] as const
    for (let round = 0; round < rounds; round++) {
      const before = waysOf(ratio, prompts, correlation)
      // Questions like these did not move: 0 is the truth, though some prompts have new ways.
      const moved = pairedInterval(pairsOf(later(ratio, before, correlation), before, answers))
      const still = pairedInterval(pairsOf(before, before, answers))
      for (const shares of [held, whole]) {
        if (moved) shares[0].add(holds(moved, 0))
        if (still) shares[1].add(isSignificant(still) === true)
      }
    }
    say(`| ${[ratio.name, correlation, prompts, answers, ...held].join(' | ')} |`)
  }
  say(`| ${[ratio.name, 'mean', '', '', ...whole].join(' | ')} |`)
}
