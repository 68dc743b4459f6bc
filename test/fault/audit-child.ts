// A worker of the service. It prints a line when it waits for jobs.
import { pino } from 'pino'
import { readSettings } from '../../core/settings.ts'
import { openWorker } from '../../worker/open-worker.ts'

const [, , databaseUrl = '', clickhouseUrl = '', env = '{}'] = process.argv
await openWorker({
  databaseUrl,
  clickhouseUrl,
  settings: readSettings(JSON.parse(env)),
  secrets: { cursorSecret: 'x', signingSecrets: ['x'] },
  log: pino({ level: process.env.TEST_LOG ?? 'silent' }),
})
process.stdout.write('ready\n')
