// The API as a child of the supervisor, which hands off connections.
import type { Settings } from '../../core/settings.ts'
import { startApi } from '../../server.ts'
import type { Secrets } from '../folder/data-dir.ts'
import { runAsChild } from './child.ts'
import { observeChild } from './observed.ts'
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
  const { log, metrics, stop } = await observeChild('api', begin.settings)
  let parts: PartStates = {}
  process.on('message', (message: { type: string; parts?: PartStates }) => {
    if (message.type === 'parts' && message.parts) parts = message.parts
  })
  const api = await startApi({ ...begin, log, metrics, parts: () => parts })
  const close = async () => {
    await api.close()
    await stop()
  }
  serveSocketHandoff({ ...api, close })
})
