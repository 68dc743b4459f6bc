// The API as a child of the supervisor, which hands off connections.
import pino from 'pino'
import type { Settings } from '../../core/settings.ts'
import { logOptions } from '../../observability/log-fields.ts'
import { openMetrics } from '../../observability/registry.ts'
import { startTracing } from '../../observability/tracing.ts'
import { startApi } from '../../server.ts'
import type { Secrets } from '../folder/data-dir.ts'
import { runAsChild } from './child.ts'
import { answerMetrics } from './part-metrics.ts'
import type { PartStates } from './part-states.ts'
import { serveSocketHandoff } from './socket-handoff.ts'

export interface BeginApi {
  type: 'begin'
  settings: Settings
  databaseUrl: string
  clickhouseUrl: string
  secrets: Secrets
}

await runAsChild<BeginApi>(async (begin) => {
  const log = pino({ ...logOptions, name: 'api', level: begin.settings.LOG_LEVEL })
  const tracing = await startTracing('api', begin.settings, log)
  let parts: PartStates = {}
  process.on('message', (message: { type: string; parts?: PartStates }) => {
    if (message.type === 'parts' && message.parts) parts = message.parts
  })
  const metrics = openMetrics('api')
  answerMetrics(metrics.text)
  const api = await startApi({ ...begin, log, metrics, parts: () => parts })
  const close = async () => {
    await api.close()
    await tracing.stop()
  }
  serveSocketHandoff({ ...api, close })
})
