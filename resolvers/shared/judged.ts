import type { Rater } from '../../core/text/sentiment.ts'
import type { DateRange } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import type { FactParams } from './facts.sql.ts'
import { byRules, judgedFacts, newestJudges } from './judged.sql.ts'
import { factsOf, type ManySelection } from './many.ts'
import type { ProjectScope } from './scope.ts'

/** Versions of judges by project; null where rules rate its mentions. */
export type JudgeVersions = ReadonlyMap<string, string | null>

/**
 * The versions whose ratings reports show; null where rules rate the mentions of all projects.
 * @param rater absent: the method of each project. `judge` is the model of a project, else the judge whose run ended last
 */
export async function judgeVersions(
  scopes: readonly ProjectScope[],
  rater: Rater | null | undefined,
): Promise<JudgeVersions | null> {
  const [first] = scopes
  if (rater === 'lexicon' || first === undefined) return null
  const own = new Map(scopes.map(({ project }) => [project.id, project.sentimentVersion]))
  if (rater !== 'judge') return [...own.values()].some((version) => version !== null) ? own : null
  const projects = [...own.keys()].filter((id) => own.get(id) === null)
  const rows =
    projects.length === 0
      ? []
      : await run<{ projectId: string; version: string }>(first.warehouse, {
          id: 'judge.versions',
          sql: newestJudges,
          params: { projects },
        })
  const newest = new Map(rows.map(({ projectId, version }) => [projectId, version]))
  return new Map([...own].map(([id, version]) => [id, version ?? newest.get(id) ?? '']))
}

/** Whether no verdict can come without a change of the project: the judge of the settings writes none to the catalog. */
export const isSettled = (rater: Rater | null | undefined): boolean => rater !== 'judge'

/** Who rated the mentions of a project, and by which version; null for rules, whose rows say their own version. */
export function judgeOf(versions: JudgeVersions | null, { project }: ProjectScope) {
  const version = versions?.get(project.id) ?? null
  return version === null ? null : { rater: 'judge' as const, version }
}

/** The values of statements over the ratings of judges. */
function judgeParams(
  projects: readonly { readonly id: string; readonly analysis: number }[],
  versions: JudgeVersions,
): FactParams {
  return {
    judgedProjects: projects.map(({ id }) => id),
    judgedAnalyses: projects.map(({ analysis }) => analysis),
    judges: projects.map(({ id }) => versions.get(id) ?? byRules),
  }
}

/** `factsOf`, with the sentiments of judges where `versions` says so. */
export function ratedFactsOf(
  many: ManySelection,
  range: DateRange,
  versions: JudgeVersions | null,
): ReturnType<typeof factsOf> {
  const found = factsOf(many, range)
  if (versions === null) return found
  const projects = many.scopes.map(({ projectId: id, analysis }) => ({ id, analysis }))
  const params = { ...found.params, ...judgeParams(projects, versions) }
  return { ...found, facts: judgedFacts(found.facts), params }
}

/** What `ratedMentions` reads of projects by the method of each. */
export interface OwnRatings {
  readonly isJudged: boolean
  /** None where no project has a judge. */
  readonly params: FactParams
}

/** The ratings of projects by the method of each. */
export function ownRatings(scopes: readonly Pick<ProjectScope, 'project'>[]): OwnRatings {
  const projects = [...new Map(scopes.map(({ project }) => [project.id, project])).values()]
  const versions = new Map(projects.map(({ id, sentimentVersion }) => [id, sentimentVersion]))
  const isJudged = projects.some(({ sentimentVersion }) => sentimentVersion !== null)
  return { isJudged, params: isJudged ? judgeParams(projects, versions) : {} }
}
