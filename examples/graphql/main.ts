import { ask, tableOf } from './ask.ts'
import {
  AheadOfWhomDocument,
  HowVisibleDocument,
  InWhatToneDocument,
  WhereMissingDocument,
  WhichSourcesDocument,
} from './documents.ts'

const { SIGHTLINE_URL = 'http://127.0.0.1:4000', SIGHTLINE_KEY = '' } = process.env
const service = { url: SIGHTLINE_URL, key: SIGHTLINE_KEY }

const say = (text: string) => process.stdout.write(`${text}\n`)

const visible = (await ask(service, HowVisibleDocument)).projects.nodes[0]
if (!visible) throw new Error('The key reaches no project.')
const { summary, platforms = [] } = visible.visibility ?? {}
const score = summary?.metrics.visibilityScore
say(
  `How visible is ${visible.name}? Named in ${score?.numerator} of ${score?.denominator} answers:`,
)
say(`${summary?.visibilityScore} %, ${summary?.changes?.visibilityScore.change} more than before`)
say(
  tableOf(platforms, {
    assistant: ({ platform }) => platform.displayName,
    answers: ({ answerCount }) => answerCount,
    'names us, %': ({ visibilityScore }) => visibilityScore,
  }),
)

const ahead = (await ask(service, AheadOfWhomDocument)).projects.nodes[0]?.shareOfVoice
say('Ahead of whom?')
say(
  tableOf(ahead?.nodes ?? [], {
    brand: ({ brand }) => brand.name,
    'share of voice, %': ({ shareOfVoice }) => shareOfVoice,
    change: ({ change }) => change?.change ?? null,
  }),
)

const tone = (await ask(service, InWhatToneDocument)).projects.nodes[0]
say(`In what tone? ${tone?.sentiment?.summary.score} of 100`)
say(
  tableOf(tone?.brands?.nodes ?? [], {
    brand: ({ brand }) => brand?.name ?? null,
    score: ({ sentiment }) => sentiment.score,
    positive: ({ sentiment }) => sentiment.positive,
    negative: ({ sentiment }) => sentiment.negative,
  }),
)

const sources = (await ask(service, WhichSourcesDocument)).projects.nodes[0]
say('Which sources do the answers lean on?')
say(
  tableOf(sources?.sourceDomains?.nodes ?? [], {
    domain: ({ domain }) => domain,
    type: ({ type }) => type,
    citations: ({ citationCount }) => citationCount,
    'in answers, %': ({ metrics }) => metrics.citationRate.value,
  }),
)

const missing = (await ask(service, WhereMissingDocument)).projects.nodes[0]?.answers
say(`Where are we missing? In ${missing?.totalCount} answers, such as`)
say(
  tableOf(missing?.nodes ?? [], {
    assistant: ({ platform }) => platform.displayName,
    prompt: ({ prompt }) => prompt.text,
    'who was named': ({ mentions }) => mentions.map(({ brand }) => brand.name).join(', '),
  }),
)
