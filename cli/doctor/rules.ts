import { counted } from '../../core/text/counted.ts'
import { rulesVersion } from '../../core/text/rules-version.ts'
import type { Problem } from './problem.ts'

/** The analysis of a project that readers see. */
export interface ProjectAnalysis {
  readonly projectId: string
  readonly analysis: number
}

/** Answers of one analysis whose mentions were counted by older rules than those of this version. */
export interface OlderCounts extends ProjectAnalysis {
  readonly answers: number
}

export const analysesQuery = 'SELECT id AS "projectId", analysis FROM "Project"'

export const olderCountsQuery = `
SELECT toString(project_id) AS projectId, analysis, toUInt32(uniq(answer_id)) AS answers
  FROM mentions
 WHERE names_version < ${rulesVersion.names} OR tone_version < ${rulesVersion.tone}
 GROUP BY project_id, analysis
 ORDER BY projectId`

/** Names the projects whose numbers were counted by older rules. */
export function inspectRules(
  analyses: readonly ProjectAnalysis[],
  older: readonly OlderCounts[],
  problems: Problem[],
): void {
  const current = new Map(analyses.map(({ projectId, analysis }) => [projectId, analysis]))
  for (const { projectId, analysis, answers } of older) {
    if (current.get(projectId) !== analysis) continue
    problems.push({
      problem: `Older rules counted ${counted(answers, 'answer')} of project ${projectId}.`,
      mend: `Run \`npx sightline reanalyze --project ${projectId}\`; with \`--preview\` it only shows which numbers move.`,
    })
  }
}
