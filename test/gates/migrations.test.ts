import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { landedMigrations } from '../../codegen/migrations.ts'
import { emptyFolder } from '../kit/repository.ts'

let root = ''
let record = ''

function migrate(path: string, sql = 'SELECT 1'): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), sql)
}

/** A repository with one landed migration of each store. */
beforeEach(async () => {
  root = emptyFolder()
  migrate('prisma/migrations/20260101000000_first/migration.sql')
  migrate('warehouse/migrations/0001_first.sql')
  record = (await landedMigrations(root, undefined)).record
})

test('new migrations are recorded after those that landed', async () => {
  migrate('prisma/migrations/20260102000000_second/migration.sql')
  migrate('warehouse/migrations/0002_second.sql')
  const { record: now, faults } = await landedMigrations(root, record)
  expect(faults).toEqual([])
  const paths = now.match(/\S+[.]sql/g)
  expect(paths).toEqual([
    'prisma/migrations/20260101000000_first/migration.sql',
    'warehouse/migrations/0001_first.sql',
    'prisma/migrations/20260102000000_second/migration.sql',
    'warehouse/migrations/0002_second.sql',
  ])
})

test('a landed migration that changed or went is a fault', async () => {
  migrate('prisma/migrations/20260101000000_first/migration.sql', 'SELECT 2')
  rmSync(join(root, 'warehouse/migrations/0001_first.sql'))
  const { faults } = await landedMigrations(root, record)
  expect(faults).toEqual([
    expect.stringMatching(
      /^prisma\/\S+\/migration[.]sql was changed after it landed[.] Restore it/,
    ),
    expect.stringMatching(
      /^warehouse\/\S+\/0001_first[.]sql was removed after it landed[.] Restore/,
    ),
  ])
})

test.each(['0001_twice.sql', '0000_before.sql'])(
  '%s beside a landed 0001 is a fault',
  async (name) => {
    migrate(`warehouse/migrations/${name}`)
    const { faults } = await landedMigrations(root, record)
    expect(faults).toEqual([
      `warehouse/migrations/${name} must have a number above 0001. Rename it and run: npm run codegen`,
    ])
  },
)

test('two new migrations of one number are a fault', async () => {
  migrate('warehouse/migrations/0002_one.sql')
  migrate('warehouse/migrations/0002_other.sql')
  const { faults } = await landedMigrations(root, record)
  expect(faults).toEqual([
    'warehouse/migrations/0002_other.sql must have a number above 0002. Rename it and run: npm run codegen',
  ])
})
