// The API as the supervisor's child: connections come over the channel.
import pino from 'pino'
import type { Settings } from '../../core/settings.ts'
import { startApi } from '../../server.ts'
import type { Secrets } from '../folder/data-dir.ts'
import { asChild } from './as-child.ts'
import { serveHandedOver } from './socket-handoff.ts'

export interface BeginApi {
  type: 'begin'
  settings: Settings
  databaseUrl: string
  clickhouseUrl: string
  secrets: Secrets
}

await asChild<BeginApi>(async (begin) => {
  const log = pino({ name: 'api', level: begin.settings.LOG_LEVEL })
  const api = await startApi({ ...begin, log })
  serveHandedOver(api.server, api.close)
})
