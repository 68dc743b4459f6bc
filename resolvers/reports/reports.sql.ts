/** The report of a project that a worker has yet to finish; at most one. */
export const unfinishedReport = `
SELECT 1 FROM "Report"
 WHERE "projectId" = $1::uuid AND status IN ('queued', 'running') LIMIT 1`

/** Locks one report of a project: changes of its sharing take turns. */
export const lockedReport = `
SELECT id FROM "Report" WHERE "projectId" = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE`

/** Mentions of an analysis: 0 when a later analysis has replaced and removed it. */
export const mentionsOfAnalysis = `
SELECT count() AS mentions FROM mentions
 WHERE project_id = {project:UUID} AND analysis = {analysis:UInt32}`
