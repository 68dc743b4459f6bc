import { waysToObtain } from '../../../core/collecting/obtained.ts'
import {
  type Asked,
  cadenceOf,
  gapsOf,
  type Method,
  type MethodPlatform,
  type MethodTypes,
  type MethodWay,
} from '../../../core/method/method.ts'
import type { DateRange } from '../../../core/window.ts'
import type { Db } from '../../../prisma/client.ts'
import { run } from '../../../warehouse/run.ts'
import { collectedParams } from '../facts.sql.ts'
import { collectedLoads, type FilterArgs } from '../filters.ts'
import { factsOf, type ManyRow, rowsOfMany } from '../many.ts'
import type { ProjectScope } from '../scope.ts'
import type { ManyFacts } from '../slices.sql.ts'
import { type Coverage, coverageOf } from './coverage.ts'
import { answersCollected, rulesApplied } from './method.sql.ts'

interface Collected extends ManyRow {
  readonly answers: number
  readonly rawAnswers: number
  readonly promptIds: readonly string[]
  readonly answersPerPrompt: number
  readonly repetitions: number
  readonly locations: number
  readonly countries: readonly string[]
  readonly days: readonly string[]
  readonly models: Readonly<Record<string, number>>
  readonly surface: number
  readonly api: number
}

interface Rules extends ManyRow {
  readonly nameRules: readonly number[]
  readonly toneRules: readonly number[]
}

type PromptType = Awaited<ReturnType<typeof promptTypes>>

/** The type of each prompt of the projects. */
async function promptTypes(db: Db, projectIds: readonly string[]) {
  const prompts = await db.prompt.findMany({
    where: { projectId: { in: [...projectIds] } },
    select: { id: true, isBranded: true, intentCategory: true },
  })
  return new Map(prompts.map((prompt) => [prompt.id, prompt]))
}

function typesOf(promptIds: readonly string[], known: PromptType): MethodTypes {
  const found = promptIds.flatMap((id) => known.get(id) ?? [])
  const branded = found.filter(({ isBranded }) => isBranded).length
  const byIntent = Map.groupBy(found, ({ intentCategory }) => intentCategory)
  const intents = [...byIntent]
    .flatMap(([intent, prompts]) => (intent ? [{ intent, prompts: prompts.length }] : []))
    .sort((a, b) => b.prompts - a.prompts || a.intent.localeCompare(b.intent))
  return {
    branded,
    unbranded: found.length - branded,
    unclassified: promptIds.length - found.length,
    intents,
    withoutIntent: promptIds.length - intents.reduce((sum, { prompts }) => sum + prompts, 0),
  }
}

function platformsOf(models: Collected['models']): MethodPlatform[] {
  const counts = Object.entries(models).map(([key, answers]) => {
    const [platform = '', model = ''] = key.split('\n')
    return { platform, model, answers }
  })
  return [...Map.groupBy(counts, ({ platform }) => platform)]
    .map(([platform, rows]) => ({
      platform,
      models: rows.flatMap(({ model }) => model || []).sort(),
      answers: rows.reduce((sum, { answers }) => sum + answers, 0),
    }))
    .sort((a, b) => b.answers - a.answers || a.platform.localeCompare(b.platform))
}

/** How answers were obtained, most answers first. */
export function waysOf(of: Pick<Collected, 'answers' | 'surface' | 'api'>): MethodWay[] {
  const { answers, surface, api } = of
  const counts = { surface, api, imported: answers - surface - api }
  return waysToObtain
    .flatMap((obtained) => (counts[obtained] > 0 ? { obtained, answers: counts[obtained] } : []))
    .sort((a, b) => b.answers - a.answers)
}

const nothing = {
  answers: 0,
  rawAnswers: 0,
  promptIds: [],
  answersPerPrompt: null,
  repetitions: null,
  locations: 0,
  countries: [],
  days: [],
  models: {},
  surface: 0,
  api: 0,
}

function methodOf(
  row: Collected | undefined,
  rules: Rules | undefined,
  {
    types,
    questions,
    isOfPlatforms,
  }: { types: PromptType; questions: Asked; isOfPlatforms: boolean },
): Method {
  const { answers, answersPerPrompt, repetitions, ...found } = row ?? nothing
  const { rawAnswers, promptIds, locations, countries, days, models, surface, api } = found
  const unnamed = Object.entries(models).filter(([key]) => key.endsWith('\n'))
  const method = {
    prompts: promptIds.length,
    sample: { answers, answersPerPrompt, repetitions, locations, countries },
    types: typesOf(promptIds, types),
    cadence: cadenceOf(days),
    reproducibility: {
      rawAnswers,
      answersWithoutModel: unnamed.reduce((sum, [, count]) => sum + count, 0),
      nameRules: rules?.nameRules ?? [],
      toneRules: rules?.toneRules ?? [],
    },
    platforms: platformsOf(models),
    ways: waysOf({ answers, surface, api }),
  }
  return { ...method, missing: gapsOf({ method, questions, isOfPlatforms }) }
}

export type MethodArgs = DateRange & FilterArgs

const sumOf = (coverage: readonly Coverage[]): Asked => ({
  asked: coverage.reduce((sum, { asked }) => sum + asked, 0),
  failed: coverage.reduce((sum, { failed }) => sum + failed, 0),
})

/** How the answers in the window and after the filters were collected, of each project or slice. */
export async function methodsOf(
  scopes: readonly ProjectScope[],
  args: MethodArgs,
): Promise<(Method | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const ids = [...new Set(scopes.map(({ project }) => project.id))]
  const ofRuns = collectedParams(await collectedLoads(first.db, ids))
  const read = <Row extends ManyRow>(id: string, sql: (facts: ManyFacts) => string) =>
    rowsOfMany<Row>(scopes, args, (many) => {
      const { facts, params: ofFacts } = factsOf(many, args)
      const params = { ...ofFacts, ...ofRuns }
      return run<Row>(first.warehouse, { id, settled: true, sql: sql(facts), params })
    })
  const [collected, rules, coverage, types] = await Promise.all([
    read<Collected>('method.answers', answersCollected),
    read<Rules>('method.rules', rulesApplied),
    coverageOf(scopes, args),
    promptTypes(first.db, ids),
  ])
  return scopes.map(({ slice }, i) => {
    const [rows = [], counted = [], asked] = [collected[i], rules[i], coverage[i]]
    for (const part of [rows, counted, asked]) if (part instanceof Error) return part
    const isOfPlatforms = slice?.by === 'platform' || (args.platform?.length ?? 0) > 0
    return methodOf((rows as readonly Collected[])[0], (counted as readonly Rules[])[0], {
      types,
      questions: sumOf((asked as readonly Coverage[] | null) ?? []),
      isOfPlatforms,
    })
  })
}
