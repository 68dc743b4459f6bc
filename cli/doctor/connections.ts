import { type Check, failed, ok } from './problem.ts'

/** A link of a project to Google. */
export interface GoogleConnection {
  readonly projectId: string
  readonly kind: 'searchConsole' | 'webAnalytics'
  /** Why the last request failed. */
  readonly problem: 'accessDenied' | 'notFound' | null
}

export const connectionsQuery = `
SELECT "projectId", kind, problem FROM "Connection"
 WHERE kind IN ('searchConsole', 'webAnalytics') ORDER BY "projectId", kind`

const names = { searchConsole: 'Google Search Console', webAnalytics: 'Google Analytics' }
const commands = { searchConsole: 'search-console', webAnalytics: 'web-analytics' }

/** What Google answered to the last request of each project. Nothing where no project is linked. */
export function inspectConnections(connections: readonly GoogleConnection[]): Check[] {
  const broken = connections.flatMap(({ projectId, kind, problem }) => {
    if (problem === null) return []
    const why =
      problem === 'accessDenied' ? 'refuses the service account' : 'does not know the site'
    const mend = `Share it with the service account, then run \`npx sightline pull ${commands[kind]} --project ${projectId}\`.`
    return [failed('google', `${names[kind]} of project ${projectId} ${why}.`, mend)]
  })
  if (broken.length > 0 || connections.length === 0) return broken
  return [ok('google', `links of projects: ${connections.length}`)]
}
