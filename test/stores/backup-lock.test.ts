import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { tableNames } from '../../cli/backup/catalog.sql.ts'
import { whileUnchanged } from '../../cli/backup/catalog.ts'

/** Takes the lock that each write of the table takes, and writes nothing. */
const write = (client: pg.Client, name: string) =>
  client.query(`DELETE FROM ${pg.escapeIdentifier(name)} WHERE false`)

test('a backup and a write that wait for each other: the backup gives way, and the write goes on', async () => {
  const connectionString = inject('databaseUrl')
  const [writer, other] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })]
  await Promise.all([writer.connect(), other.connect()])
  const { rows } = await writer.query<{ name: string }>(tableNames)
  const [first = '', second = '', third = ''] = rows.map(({ name }) => name)

  await Promise.all([writer.query('BEGIN'), other.query('BEGIN')])
  await write(writer, third)
  await write(other, second)
  const backup = whileUnchanged(connectionString, async () => 'unchanged')
  // The backup holds the first table now, and waits for the second.
  await sleep(200)
  // The write waits for the first table from now on: PostgreSQL would look for a deadlock in a second.
  const written = write(writer, first)
  await sleep(100)
  // The backup goes on to the third table, which the writer holds.
  await other.query('COMMIT')
  await expect(written).resolves.toMatchObject({ rowCount: 0 })
  await writer.query('COMMIT')
  expect(await backup).toBe('unchanged')
  await Promise.all([writer.end(), other.end()])
})
