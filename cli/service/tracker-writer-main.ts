// What brings the tracker's events to the warehouse, as the supervisor's child.
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import type { Settings } from '../../core/settings.ts'
import { oldSegments } from '../../ingest/log/appender.ts'
import { createBacklogMeter } from '../../ingest/writer/backlog.ts'
import { startWriter, type Writer } from '../../ingest/writer/writer.ts'
import { createWarehouse } from '../../warehouse/client.ts'
import { asChild } from './as-child.ts'

export interface BeginWriter {
  type: 'begin'
  settings: Settings
  clickhouseUrl: string
  /** The tracker's folder. */
  dir: string
}

const REST_MS = 3000

await asChild<BeginWriter>(async ({ settings, clickhouseUrl, dir }) => {
  const log = pino({ name: 'trackerWriter', level: settings.LOG_LEVEL })
  const warehouse = createWarehouse({ url: clickhouseUrl, log })
  const writer = startWriter({ dir, warehouse, log })
  process.on('message', async ({ type }: { type: string }) => {
    if (type !== 'stop') return
    await finish(dir, writer)
    await writer.close()
    await warehouse.close()
    process.exit(0)
  })
  process.send?.({ type: 'ready' })
})

/** Lets it bring away what is there, for a while. What is left waits for the next start. */
async function finish(dir: string, writer: Writer): Promise<void> {
  const deadline = Date.now() + REST_MS
  const meter = createBacklogMeter(dir, await oldSegments(dir))
  for (;;) {
    await meter.refresh()
    const isDone = meter.current.bytes === 0 || writer.stats().isWaiting
    if (isDone || Date.now() > deadline) return
    await sleep(50)
  }
}
