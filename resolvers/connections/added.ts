import type { Db } from '../../prisma/client.ts'
import type { Edit } from '../shared/audit-trail.ts'
import { deliver } from '../shared/deliver.ts'

const words = {
  searchConsole: 'Google Search Console is connected',
  bingWebmaster: 'Bing Webmaster Tools is connected',
  webAnalytics: 'Web analytics are connected',
  tracker: 'A tracker is connected',
  cdn: 'A CDN is connected',
  log: 'Access logs are connected',
} as const

/** Says to the channels of the workspace that a source is connected. @returns the change for the audit trail */
export async function connectionAdded(
  tx: Db,
  projectId: string,
  id: string,
  { kind, host }: { readonly kind: keyof typeof words; readonly host: string | null },
): Promise<Edit> {
  await deliver(tx, {
    type: 'connection.created',
    projectId,
    title: host === null ? words[kind] : `${words[kind]}: ${host}`,
    page: kind === 'tracker' || kind === 'cdn' || kind === 'log' ? 'ai-traffic' : 'imports',
    ids: { connectionId: id },
  })
  return { action: 'connection.add', subject: ['connection', id], after: { kind, host } }
}
