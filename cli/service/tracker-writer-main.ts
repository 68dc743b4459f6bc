// The writer of the tracker's events to the warehouse, as a child of the supervisor.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../core/log.ts'
import type { Settings } from '../../core/settings.ts'
import { oldSegments } from '../../ingest/log/appender.ts'
import { processFolders } from '../../ingest/log/process-folders.ts'
import { createBacklogMeter } from '../../ingest/writer/backlog.ts'
import { startWriter, type Writer } from '../../ingest/writer/writer.ts'
import { logOptions } from '../../observability/log-fields.ts'
import { openPartLog } from '../../observability/part-log.ts'
import { openMetrics } from '../../observability/registry.ts'
import { statementMetrics } from '../../observability/statements.ts'
import { createWarehouse, type Warehouse } from '../../warehouse/client.ts'
import { runAsChild } from './child.ts'
import { answerMetrics } from './part-metrics.ts'

export interface BeginWriter {
  type: 'begin'
  settings: Settings
  clickhouseUrl: string
  /** The tracker's folder. */
  dir: string
}

const FINISH_MS = 3000

await runAsChild<BeginWriter>(async ({ settings, clickhouseUrl, dir }) => {
  const name = 'trackerWriter'
  const metrics = openMetrics(name)
  const log = openPartLog({ ...logOptions, name, level: settings.LOG_LEVEL, metrics })
  answerMetrics(metrics.text)
  const observer = statementMetrics(metrics)
  const warehouse = createWarehouse({ url: clickhouseUrl, log, observer })
  // Also with NATS: a log may have events from before.
  const folders = await processFolders(dir, settings.TRACKER_PROCESSES)
  const writers = folders.map((folder) => ({
    folder,
    writer: startWriter({ dir: folder, warehouse, log }),
  }))
  const natsWriter =
    settings.NATS_URL === undefined
      ? undefined
      : await natsWriterOf(settings.NATS_URL, { warehouse, log })
  process.on('message', async ({ type }: { type: string }) => {
    if (type !== 'stop') return
    await Promise.all(writers.map(({ folder, writer }) => finish(folder, writer)))
    await Promise.all([...writers.map(({ writer }) => writer.close()), natsWriter?.close()])
    await warehouse.close()
    process.exit(0)
  })
  process.send?.({ type: 'ready' })
})

/** Loaded only for those who have NATS: its client is a sixth of an idle writer. */
async function natsWriterOf(
  url: string,
  stores: { readonly warehouse: Warehouse; readonly log: Log },
) {
  const [{ startNatsWriter }, { natsOptions }] = await Promise.all([
    import('../../ingest/nats/nats-writer.ts'),
    import('../../ingest/nats/options.ts'),
  ])
  return startNatsWriter({ ...natsOptions(url), ...stores })
}

/** Gives the writer time to empty the log. The next start writes the rest. */
async function finish(dir: string, writer: Writer): Promise<void> {
  const deadline = Date.now() + FINISH_MS
  const meter = createBacklogMeter(dir, await oldSegments(dir))
  for (;;) {
    await meter.refresh()
    const isDone = meter.current.bytes === 0 || writer.stats().isRetrying
    if (isDone || Date.now() > deadline) return
    await sleep(50)
  }
}
