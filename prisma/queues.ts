import { createHash } from 'node:crypto'
import type pg from 'pg'
import bossPackage from 'pg-boss/package.json' with { type: 'json' }
import { heartbeatSeconds, queueNames, queueSchema, queues } from '../core/queues.ts'

const fingerprint = createHash('sha256')
  .update(JSON.stringify([bossPackage.version, queues, heartbeatSeconds]))
  .digest('hex')

/**
 * Brings the queues of the worker up to date, in their own schema. Call it under the lock of the migrations.
 * @returns whether anything changed
 */
export async function migrateQueues(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ made: string | null }>(
    "SELECT obj_description(to_regnamespace($1), 'pg_namespace') AS made",
    [queueSchema],
  )
  if (rows[0]?.made === fingerprint) return false
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values) },
    schema: queueSchema,
    supervise: false,
    schedule: false,
  })
  boss.on('error', () => undefined)
  await boss.start()
  try {
    for (const name of queueNames) {
      const { policy, atOnce: _here, ...terms } = queues[name]
      const options = { ...terms, heartbeatSeconds, notify: true }
      if (await boss.getQueue(name)) await boss.updateQueue(name, options)
      else await boss.createQueue(name, { ...options, policy })
    }
  } finally {
    await boss.stop({ graceful: false })
  }
  await client.query(`COMMENT ON SCHEMA ${queueSchema} IS '${fingerprint}'`)
  return true
}
