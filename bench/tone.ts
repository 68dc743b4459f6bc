import {
  accuracyOf,
  type Half,
  judged,
  type Labelled,
  labelled,
  lexicon,
  macroF1Of,
  type Rater,
  realAnswers,
} from '../test/real/labelled-tones.ts'
import { written, writtenLanguages } from '../test/real/written-answers.ts'

/**
 * Agreement of tones with the labels of `test/real/tone-labels.json` and `test/real/written-tones.json`, beside those of
 * always the same tone.
 * Run: `node bench/tone.ts tune`, or `kept` for the half that no rule was shaped on.
 */
const draws = 2000
/** The tone of most labels. */
const majority: Rater = (_, mentions) => mentions.map(() => 'positive')
const half: Half = process.argv[2] === 'kept' ? 'kept' : 'tune'
const print = (line: string) => process.stdout.write(`${line}\n`)

function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** The 95 % interval of a measure over draws of prompts, with all pairs of each. */
function interval(found: ReturnType<typeof judged>, measure: (of: typeof found) => number) {
  const byPrompt = [...Map.groupBy(found, ({ prompt }) => prompt).values()]
  const random = randomOf(7)
  const measured = Array.from({ length: draws }, () =>
    measure(byPrompt.flatMap(() => byPrompt[Math.floor(random() * byPrompt.length)] ?? [])),
  ).sort((a, b) => a - b)
  const at = (share: number) => measured[Math.floor(share * draws)]?.toFixed(2)
  return `${at(0.025)} to ${at(0.975)}`
}

function printed(title: string, of: readonly Labelled[]) {
  print(`${title}: ${of.length} pairs`)
  for (const [name, rate] of Object.entries({ lexicon, majority })) {
    const found = judged(of, rate)
    const accuracy = `${accuracyOf(found).toFixed(2)} (${interval(found, accuracyOf)})`
    const f1 = `${macroF1Of(found).toFixed(2)} (${interval(found, macroF1Of)})`
    print(`${name}: accuracy ${accuracy}, macro F1 ${f1}`)
  }
  const rated = of.filter((pair) => lexicon(pair.text, pair.mentions, pair.platform)[pair.brand])
  print(`rated by the lexicon: ${rated.length}`)
}

if (!realAnswers.isAbsent) printed(`real answers, ${half}`, labelled(half))
for (const language of writtenLanguages) {
  printed(`written answers in ${language}, ${half}`, written(language, half))
}
printed(
  `written answers, ${half}`,
  writtenLanguages.flatMap((language) => written(language, half)),
)
