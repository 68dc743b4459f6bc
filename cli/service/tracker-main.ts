// The tracker as a child of the supervisor, which hands off connections. It needs its folder only: the stores may be
// away.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../core/log.ts'
import type { Settings } from '../../core/settings.ts'
import { openAgentKeys } from '../../ingest/bots/agent-keys.ts'
import { openBots } from '../../ingest/bots/bots.ts'
import { rangesFile, registryFile } from '../../ingest/bots/known.ts'
import { openRanges } from '../../ingest/bots/ranges.ts'
import { createVerifier } from '../../ingest/endpoint/key.ts'
import { createTracker } from '../../ingest/endpoint/tracker.ts'
import { maxBacklogBytes, openLog } from '../../ingest/log/log.ts'
import { processFolder } from '../../ingest/log/process-folders.ts'
import { openPartLog } from '../../observability/part-log.ts'
import { openMetrics } from '../../observability/registry.ts'
import type { Secrets } from '../folder/data-dir.ts'
import { readDirectory } from './agent-directory.ts'
import { runAsChild } from './child.ts'
import { answerMetrics } from './part-metrics.ts'
import { openRevocations } from './revocations.ts'
import { serveSocketHandoff } from './socket-handoff.ts'

export interface BeginTracker {
  type: 'begin'
  settings: Settings
  signingSecrets: Secrets['signingSecrets']
  /** The tracker's folder. */
  dir: string
  /** Of this process among `TRACKER_PROCESSES`, from 1. */
  number: number
  revokedEveryMs: number | undefined
}

/** Sent once PostgreSQL runs. */
export interface CatalogKnown {
  type: 'catalog'
  databaseUrl: string
}

// Listens from the start: the message may come before the files are open.
const catalog = new Promise<string>((resolve) => {
  process.on('message', (message: CatalogKnown | { type: string }) => {
    if ('databaseUrl' in message) resolve(message.databaseUrl)
  })
})

/** Loaded only for those who have NATS: its client is a tenth of an idle tracker. */
async function natsLog(url: string, log: Log) {
  const [{ openNatsLog }, { natsOptions }] = await Promise.all([
    import('../../ingest/nats/nats-log.ts'),
    import('../../ingest/nats/options.ts'),
  ])
  return openNatsLog({ ...natsOptions(url), log })
}

await runAsChild<BeginTracker>(async ({ settings, signingSecrets: secrets, number, ...begin }) => {
  const ofProcess = openMetrics(number === 1 ? 'tracker' : `tracker${number}`)
  const logger = openPartLog({ name: 'tracker', level: settings.LOG_LEVEL, metrics: ofProcess })
  const { TRACKER_PROCESSES: processes } = settings
  const dir = processFolder(begin.dir, number)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const everyMs = begin.revokedEveryMs
  const [revocations, bots, ranges, log] = await Promise.all([
    openRevocations({ file: join(dir, 'revoked.json'), log: logger, everyMs }),
    openBots({
      source: settings.CRAWLERS_SOURCE,
      lastGoodFile: registryFile(dir),
      log: logger,
    }),
    openRanges({
      source: settings.CRAWLERS_SOURCE,
      lastGoodFile: rangesFile(dir),
      log: logger,
    }),
    settings.NATS_URL === undefined
      ? openLog({ dir, maxBacklogBytes: maxBacklogBytes / processes, log: logger })
      : natsLog(settings.NATS_URL, logger),
  ])
  catalog.then(revocations.follow)
  const agents = openAgentKeys({
    read: (url) => readDirectory(url, settings.ALLOW_PRIVATE_HOSTS),
    log: logger,
  })
  const verifier = createVerifier({ secrets, revoked: revocations.current })
  const process = processes === 1 ? undefined : number
  const { server, metrics } = createTracker({
    log,
    bots,
    ranges,
    agents,
    verifier,
    logger,
    process,
  })
  answerMetrics(async () => `${await metrics.text()}\n${await ofProcess.text()}`)
  serveSocketHandoff({ server, close: log.close })
})
