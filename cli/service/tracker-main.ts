// The tracker as the supervisor's child: connections come over the channel. It needs its folder alone: the
// stores may come later, or go.
import { join } from 'node:path'
import pino from 'pino'
import type { Settings } from '../../core/settings.ts'
import { openBots } from '../../ingest/bots/bots.ts'
import { createVerifier } from '../../ingest/endpoint/key.ts'
import { createTracker } from '../../ingest/endpoint/tracker.ts'
import { openLog } from '../../ingest/log/log.ts'
import type { Secrets } from '../folder/data-dir.ts'
import { asChild } from './as-child.ts'
import { openRevocations } from './revocations.ts'
import { serveHandedOver } from './socket-handoff.ts'

export interface BeginTracker {
  type: 'begin'
  settings: Settings
  signingSecrets: Secrets['signingSecrets']
  /** The tracker's folder. */
  dir: string
  revokedEveryMs: number | undefined
}

/** Comes once PostgreSQL runs. */
export interface CatalogKnown {
  type: 'catalog'
  databaseUrl: string
}

// Heard from the start: it may come while we open our files.
const catalog = new Promise<string>((resolve) => {
  process.on('message', (message: CatalogKnown | { type: string }) => {
    if ('databaseUrl' in message) resolve(message.databaseUrl)
  })
})

await asChild<BeginTracker>(async ({ settings, signingSecrets: secrets, dir, ...begin }) => {
  const logger = pino({ name: 'tracker', level: settings.LOG_LEVEL })
  const everyMs = begin.revokedEveryMs
  const [revocations, bots, log] = await Promise.all([
    openRevocations({ file: join(dir, 'revoked.json'), log: logger, everyMs }),
    openBots({
      source: settings.CRAWLERS_SOURCE,
      lastGoodFile: join(dir, 'bots.json'),
      log: logger,
    }),
    openLog({ dir, log: logger }),
  ])
  catalog.then(revocations.follow)
  const verifier = createVerifier({ secrets, revoked: revocations.current })
  const { server } = createTracker({ log, bots, verifier, logger })
  serveHandedOver(server, log.close)
})
