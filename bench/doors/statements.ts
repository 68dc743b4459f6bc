import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Principal } from '../../core/access.ts'
import { loadProjects } from '../../resolvers/projects/projects.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { sourceDomains } from '../../resolvers/sources/sources.ts'
import type { BenchService } from '../service.ts'
import type { EngineClock } from './rounds.ts'

/** A statement as the service sends it. */
export interface Sent {
  readonly sql: string
  readonly params: Readonly<Record<string, unknown>>
}

/** The statements that the service sends for the cited domains of a window. */
export async function statementsOfDomains(service: BenchService): Promise<Sent[]> {
  const { db, warehouse, projectId } = service
  const { id: keyId, userId } = await db.apiKey.findFirstOrThrow()
  const viewer: Pick<Principal, 'userId' | 'keyId'> = { userId, keyId }
  const [project] = await loadProjects(db, viewer, [projectId])
  if (!project) throw new Error('The project is gone.')
  const sent: Sent[] = []
  const scope: ProjectScope = {
    db,
    project,
    now: new Date(),
    cursorSecret: '',
    snapshots: new Map(),
    batches: new Map(),
    reader: '',
    warehouse: {
      ...warehouse,
      send(request) {
        sent.push({ sql: request.sql, params: request.params ?? {} })
        return warehouse.send(request)
      },
    },
  }
  await sourceDomains(scope, { days: 29, limit: 20, sort: '-citations' })
  return sent
}

/** Reads what the engine says of each answer to this process, by its own clock. */
export function engineClock(warehouseUrl: string): EngineClock {
  const port = Number(new URL(warehouseUrl).port)
  let [statements, ms] = [0, 0]
  channel('http.client.response.finish').subscribe((message) => {
    const { response } = message as { response: IncomingMessage }
    const summary = response.headers['x-clickhouse-summary']
    if (response.socket.remotePort !== port || summary === undefined) return
    statements += 1
    ms += Number((JSON.parse(String(summary)) as { elapsed_ns: string }).elapsed_ns) / 1e6
  })
  return { read: () => ({ statements, ms }) }
}
