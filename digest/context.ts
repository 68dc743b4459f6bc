import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { pino } from 'pino'
import { apiLimits } from '../core/limits.ts'
import { liveChannel } from '../core/live/events.ts'
import { mailSettingsOf } from '../core/mail/settings.ts'
import { baseUrlOf, retentionOf, type Settings, trackerUrlOf } from '../core/settings.ts'
import { isUuid } from '../core/uuid.ts'
import type { Catalog } from '../prisma/client.ts'
import { listenTo, shareListener } from '../prisma/listen.ts'
import { createLive } from '../resolvers/live/live.ts'
import { authorize } from '../schema/index.ts'
import type { Context, Services } from '../schema/kit/context.ts'
import type { Warehouse } from '../warehouse/client.ts'

/** The stores of this process. */
export interface Stores {
  readonly db: Catalog
  readonly databaseUrl: string
  readonly warehouse: Warehouse
  readonly secrets: Pick<Services, 'cursorSecret' | 'signingSecrets'>
}

const noKey = '00000000-0000-0000-0000-000000000000'

/** The context of a request that an owner of the project's workspace would make; null for an unknown project. */
export async function contextOf(
  settings: Settings,
  { db, databaseUrl, warehouse, secrets }: Stores,
  projectId: string,
): Promise<Context | null> {
  const project = isUuid(projectId)
    ? await db.project.findUnique({ where: { id: projectId }, select: { workspaceId: true } })
    : null
  if (!project) return null
  const { workspaceId } = project
  const owner = await db.membership.findFirst({ where: { workspaceId, role: 'owner' } })
  const log = pino({ level: 'silent' })
  const listen = shareListener((events) => listenTo(databaseUrl, liveChannel, events))
  return {
    requestId: randomUUID(),
    principal: {
      keyId: noKey,
      userId: owner?.userId ?? noKey,
      workspaceId,
      projectId: null,
      scopes: ['admin'],
      capabilities: [],
    },
    authorize,
    services: {
      db,
      databaseUrl,
      warehouse,
      warehouseFor: () => warehouse,
      baseUrl: baseUrlOf(settings),
      trackerUrl: trackerUrlOf(settings),
      cursorSecret: secrets.cursorSecret,
      signingSecrets: secrets.signingSecrets,
      snapshots: new LRUCache({ max: 10 }),
      privateHosts: settings.ALLOW_PRIVATE_HOSTS,
      retention: retentionOf(settings),
      mail: mailSettingsOf(settings),
      live: createLive({ listen, warehouse, log }),
      maxResponseBytes: apiLimits.maxResponseBytes,
      log,
    },
  }
}
