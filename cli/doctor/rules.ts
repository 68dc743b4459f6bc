import { counted } from '../../core/text/counted.ts'
import { rulesVersion } from '../../core/text/rules-version.ts'
import type { Problem } from './problem.ts'

/** The analysis of a project that readers see. */
export interface ProjectAnalysis {
  readonly projectId: string
  readonly analysis: number
  readonly visibleLoad: number
  readonly deadLoads: readonly number[]
}

/** Answers of one analysis whose mentions were counted by older rules than those of this version. */
export interface OlderCounts {
  readonly projectId: string
  /** 0 for an import whose cited pages older rules named. */
  readonly analysis: number
  /** 0 for an analysis. */
  readonly load: number
  readonly answers: number
}

export const analysesQuery =
  'SELECT id AS "projectId", analysis, "visibleLoad", "deadLoads" FROM "Project"'

const olderPages = `pages_version < ${rulesVersion.pages}`

export const olderCountsQuery = `
SELECT toString(project_id) AS projectId, analysis, 0 AS load,
       toUInt32(uniqExact(answer_id)) AS answers
  FROM mentions
 WHERE names_version < ${rulesVersion.names} OR tone_version < ${rulesVersion.tone}
 GROUP BY project_id, analysis
UNION ALL
SELECT toString(project_id), 0, load_seq, toUInt32(uniqExact(answer_id))
  FROM (SELECT project_id, load_seq, answer_id FROM citations WHERE ${olderPages}
        UNION ALL SELECT project_id, load_seq, answer_id FROM retrieved_urls WHERE ${olderPages})
 GROUP BY project_id, load_seq`

/** Names the projects whose numbers were counted by older rules. */
export function inspectRules(
  analyses: readonly ProjectAnalysis[],
  older: readonly OlderCounts[],
  problems: Problem[],
): void {
  for (const { projectId, analysis, visibleLoad, deadLoads } of analyses) {
    const own = older.filter((each) => each.projectId === projectId)
    const named = own.find((each) => each.analysis === analysis)?.answers ?? 0
    const cited = own
      .filter(({ load }) => load > 0 && load <= visibleLoad && !deadLoads.includes(load))
      .reduce((sum, { answers }) => sum + answers, 0)
    const parts = [
      ...(named > 0 ? [`the names in ${counted(named, 'answer')}`] : []),
      ...(cited > 0 ? [`the cited pages of ${counted(cited, 'answer')}`] : []),
    ]
    if (parts.length === 0) continue
    problems.push({
      problem: `Older rules counted ${parts.join(' and ')} of project ${projectId}.`,
      mend: `Run \`npx sightline recount --project ${projectId}\`; with \`--preview\` it only shows which numbers move.`,
    })
  }
}
