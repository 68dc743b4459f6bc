import type { Rater } from '../../core/text/sentiment.ts'
import type { DateRange } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { judgedFacts, newestJudges } from './judged.sql.ts'
import { factsOf, type ManySelection } from './many.ts'
import type { ProjectScope } from './scope.ts'

/** Versions of the judge by project. A project without a run of a judge has none. */
export type JudgeVersions = ReadonlyMap<string, string>

/** The versions whose ratings reports show; null for the lexicon, which has no runs. */
export async function judgeVersions(
  scopes: readonly ProjectScope[],
  rater: Rater | undefined,
): Promise<JudgeVersions | null> {
  const [first] = scopes
  if (rater !== 'judge' || first === undefined) return null
  const projects = [...new Set(scopes.map(({ project }) => project.id))]
  const rows = await run<{ projectId: string; version: string }>(first.warehouse, {
    id: 'judge.versions',
    sql: newestJudges,
    params: { projects },
  })
  return new Map(rows.map(({ projectId, version }) => [projectId, version]))
}

/** `factsOf`, with the sentiments of the judge where `versions` says so. */
export function ratedFactsOf(
  many: ManySelection,
  range: DateRange,
  versions: JudgeVersions | null,
): ReturnType<typeof factsOf> {
  const found = factsOf(many, range)
  if (versions === null) return found
  const judges = many.scopes.map(({ projectId }) => versions.get(projectId) ?? '')
  return { ...found, facts: judgedFacts(found.facts), params: { ...found.params, judges } }
}
