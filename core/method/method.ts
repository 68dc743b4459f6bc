import type { Obtained } from '../collecting/obtained.ts'

/** How the answers of a report were collected: seven facts, counted of its own answers. */
export interface Method {
  readonly prompts: number
  readonly sample: MethodSample
  readonly types: MethodTypes
  readonly cadence: MethodCadence
  readonly reproducibility: MethodReproducibility
  /** Most answers first. */
  readonly platforms: readonly MethodPlatform[]
  /** How the answers were obtained, most answers first; absent in reports of earlier versions. */
  readonly ways?: readonly MethodWay[]
  /** What is missing to be decision grade. */
  readonly missing: readonly MethodGap[]
}

export interface MethodSample {
  readonly answers: number
  /** The median of the answers to one prompt on one platform; null without answers. */
  readonly answersPerPrompt: number | null
  /** The median of the answers to one prompt of one model at one place on one day; null without answers. */
  readonly repetitions: number | null
  readonly locations: number
  /** ISO 3166-1 codes. */
  readonly countries: readonly string[]
}

/** Numbers of prompts. A prompt that was deleted is of unknown type. */
export interface MethodTypes {
  readonly branded: number
  readonly unbranded: number
  readonly unclassified: number
  readonly intents: readonly MethodIntent[]
  readonly withoutIntent: number
}

export interface MethodIntent {
  readonly intent: 'informational' | 'commercial' | 'transactional' | 'navigational'
  readonly prompts: number
}

export interface MethodCadence {
  /** The number of days with answers. */
  readonly days: number
  readonly firstDay: string | null
  readonly lastDay: string | null
  /** Days from one day with answers to the next: the median and the most. Null below two days. */
  readonly typicalGapDays: number | null
  readonly longestGapDays: number | null
}

export interface MethodReproducibility {
  /** Answers whose raw body of the provider is stored. */
  readonly rawAnswers: number
  /** Answers that do not name their model. */
  readonly answersWithoutModel: number
  /** Versions of the rules that found names and rated tones. */
  readonly nameRules: readonly number[]
  readonly toneRules: readonly number[]
}

export interface MethodPlatform {
  readonly platform: string
  readonly models: readonly string[]
  readonly answers: number
}

export interface MethodWay {
  readonly obtained: Obtained
  readonly answers: number
}

export const gapKinds = [
  'few_prompts',
  'few_answers',
  'one_answer',
  'no_unbranded',
  'no_intents',
  'few_days',
  'long_gaps',
  'no_raw_answers',
  'no_models',
  'mixed_rules',
  'one_platform',
  'mixed_ways',
  'many_failures',
] as const
export type GapKind = (typeof gapKinds)[number]

export interface MethodGap {
  readonly kind: GapKind
  /** What is missing, with the numbers. */
  readonly reason: string
}

/** What decision grade asks for. `docs/method.md` says why. */
const least = {
  prompts: 30,
  answers: 100,
  answersPerPrompt: 2,
  days: 4,
  typicalGapDays: 7,
  failedShare: 0.1,
  intentShare: 0.5,
} as const

export interface Asked {
  readonly asked: number
  readonly failed: number
}

interface GapFacts {
  readonly method: Omit<Method, 'missing'>
  /** Questions of runs in the window; zeros where none was asked. */
  readonly questions: Asked
  /** Whether the report is about chosen platforms. */
  readonly isOfPlatforms: boolean
}

const wayWords: Readonly<Record<Obtained, string>> = {
  surface: 'from pages of AI platforms',
  api: 'by API',
  imported: 'from imports',
}

const countOf = ({ obtained, answers }: MethodWay) =>
  `${answers} ${answers === 1 ? 'answer' : 'answers'} ${wayWords[obtained]}`

/** What is missing to be decision grade, in the order of the seven facts. */
export function gapsOf({ method, questions, isOfPlatforms }: GapFacts): MethodGap[] {
  const { prompts, sample, types, cadence, reproducibility, platforms, ways = [] } = method
  const { answers, answersPerPrompt } = sample
  const known = types.branded + types.unbranded
  const { nameRules, toneRules, rawAnswers, answersWithoutModel } = reproducibility
  const { days, typicalGapDays } = cadence
  const found: [GapKind, boolean, string][] = [
    ['few_prompts', prompts < least.prompts, `${prompts} of at least ${least.prompts} prompts.`],
    ['few_answers', answers < least.answers, `${answers} of at least ${least.answers} answers.`],
    [
      'one_answer',
      (answersPerPrompt ?? 0) < least.answersPerPrompt,
      `Most prompts have ${answersPerPrompt ?? 0} of at least ${least.answersPerPrompt} answers on a platform.`,
    ],
    [
      'no_unbranded',
      known > 0 && types.unbranded === 0,
      'Each prompt names the own brand: answers then name it too.',
    ],
    [
      'no_intents',
      prompts > 0 && types.withoutIntent > prompts * (1 - least.intentShare),
      `${types.withoutIntent} of ${prompts} prompts have no intent.`,
    ],
    ['few_days', days < least.days, `Answers of ${days} of at least ${least.days} days.`],
    [
      'long_gaps',
      typicalGapDays !== null && typicalGapDays > least.typicalGapDays,
      `${typicalGapDays} days from one day with answers to the next; at most ${least.typicalGapDays}.`,
    ],
    [
      'no_raw_answers',
      rawAnswers < answers,
      `${answers - rawAnswers} of ${answers} answers have no stored reply of a provider.`,
    ],
    [
      'no_models',
      answersWithoutModel > 0,
      `${answersWithoutModel} of ${answers} answers do not name their model.`,
    ],
    [
      'mixed_rules',
      nameRules.length > 1 || toneRules.length > 1,
      'The answers were counted by several versions of the rules.',
    ],
    [
      'one_platform',
      platforms.length === 1 && !isOfPlatforms,
      'All answers are of one platform, and say nothing of others.',
    ],
    [
      'mixed_ways',
      ways.length > 1,
      `One number counts ${ways.map(countOf).join(' and ')}: they differ, so count one way.`,
    ],
    [
      'many_failures',
      questions.failed > questions.asked * least.failedShare,
      `${questions.failed} of ${questions.asked} questions failed; at most ${least.failedShare * 100} % may.`,
    ],
  ]
  return found.flatMap(([kind, isMissing, reason]) => (isMissing ? [{ kind, reason }] : []))
}

const dayMs = 86_400_000

/** The days with answers, in order, as a cadence. */
export function cadenceOf(days: readonly string[]): MethodCadence {
  const gaps = days
    .slice(1)
    .map((day, at) => (Date.parse(day) - Date.parse(days[at] ?? day)) / dayMs)
    .sort((a, b) => a - b)
  return {
    days: days.length,
    firstDay: days[0] ?? null,
    lastDay: days.at(-1) ?? null,
    typicalGapDays: gaps[Math.floor(gaps.length / 2)] ?? null,
    longestGapDays: gaps.at(-1) ?? null,
  }
}
