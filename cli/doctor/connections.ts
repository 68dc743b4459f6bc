import { type Check, failed, ok } from './problem.ts'

/** A link of a project to Google or Bing. */
export interface SourceConnection {
  readonly projectId: string
  readonly kind: 'searchConsole' | 'webAnalytics' | 'bingWebmaster'
  /** Why the last request failed. */
  readonly problem: 'accessDenied' | 'notFound' | null
}

export const connectionsQuery = `
SELECT "projectId", kind, problem FROM "Connection"
 WHERE kind IN ('searchConsole', 'webAnalytics', 'bingWebmaster') ORDER BY "projectId", kind`

const names = {
  searchConsole: 'Google Search Console',
  webAnalytics: 'Google Analytics',
  bingWebmaster: 'Bing Webmaster Tools',
}

function mendOf({ kind, projectId }: SourceConnection): string {
  if (kind === 'bingWebmaster') {
    return `Let the account of the key read the site, then run \`npx sightline feed pull-bing --project ${projectId}\`.`
  }
  const command = kind === 'searchConsole' ? 'search-console' : 'web-analytics'
  return `Share it with the service account, then run \`npx sightline pull ${command} --project ${projectId}\`.`
}

/** What Google or Bing answered to the last request of each project. Nothing where no project is linked. */
export function inspectConnections(connections: readonly SourceConnection[]): Check[] {
  const broken = connections.flatMap((connection) => {
    const { projectId, kind, problem } = connection
    if (problem === null) return []
    const who = kind === 'bingWebmaster' ? 'account of the key' : 'service account'
    const why = problem === 'accessDenied' ? `refuses the ${who}` : 'does not know the site'
    const check = kind === 'bingWebmaster' ? 'bing' : 'google'
    return [failed(check, `${names[kind]} of project ${projectId} ${why}.`, mendOf(connection))]
  })
  if (broken.length > 0 || connections.length === 0) return broken
  return [ok('google', `links of projects: ${connections.length}`)]
}
