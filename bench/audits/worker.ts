// The worker of the service, in a process of its own. Its parent gets a message when it takes jobs.
import { pino } from 'pino'
import { readSettings } from '../../core/settings.ts'
import { openWorker } from '../../worker/open-worker.ts'

const [, , databaseUrl = '', clickhouseUrl = '', allowed = ''] = process.argv
await openWorker({
  databaseUrl,
  clickhouseUrl,
  settings: readSettings({ ALLOW_PRIVATE_HOSTS: allowed }),
  secrets: { cursorSecret: 'x', signingSecrets: ['bench'] },
  log: pino({ level: 'warn' }, pino.destination(2)),
})
process.send?.({ ready: true })
process.once('disconnect', () => process.exit())
