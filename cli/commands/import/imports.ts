import type { Command } from 'commander'
import { invalid } from '../../../core/errors.ts'
import { wholeNumberRule } from '../../../core/rule-text.ts'
import type { Import } from '../../../prisma/generated/client.ts'
import { example, projectCommand } from '../../options.ts'
import { perform } from '../../run.ts'
import { withCatalog, withStores } from '../../stores.ts'
import { columns, count } from '../../text.ts'

const dayOf = (date: Date | null) => date?.toISOString().slice(0, 'YYYY-MM-DD'.length) ?? null

/** An import for programs. */
function jsonOf({ id, kind, file, userId, keyId, ...of }: Import) {
  const { startedAt, finishedAt, undoneAt, failure, read, loaded, rejected, firstDay, lastDay } = of
  const numbers = { read: Number(read), loaded: Number(loaded), rejected: Number(rejected) }
  const days = { from: dayOf(firstDay), to: dayOf(lastDay) }
  return {
    id,
    kind,
    file,
    userId,
    keyId,
    startedAt,
    finishedAt,
    undoneAt,
    failure,
    ...numbers,
    ...days,
  }
}

function stateOf({ finishedAt, undoneAt, failure }: Import): string {
  if (undoneAt !== null) return `undone ${undoneAt.toISOString()}`
  if (failure !== null) return 'failed'
  return finishedAt === null ? 'unfinished' : 'finished'
}

function daysOf({ firstDay, lastDay }: Import): string {
  const [from, to] = [dayOf(firstDay), dayOf(lastDay)]
  return from === null ? '' : from === to ? from : `${from} to ${to}`
}

const authorOf = ({ keyId }: Import) => (keyId === null ? 'command line' : `key ${keyId}`)

function rowOf(row: Import): string[] {
  const rows = `${count(Number(row.loaded))} rows`
  const file = row.file ?? '-'
  const when = row.startedAt.toISOString()
  return [row.id, when, row.kind, rows, daysOf(row), file, authorOf(row), stateOf(row)]
}

function describe(row: Import): string {
  const { id, kind, file, startedAt, finishedAt, read, loaded, rejected } = row
  return columns(
    [
      ['id', id],
      ['kind', kind],
      ['file', file ?? '-'],
      ['by', authorOf(row)],
      ['started', startedAt.toISOString()],
      ['finished', finishedAt?.toISOString() ?? '-'],
      ['state', stateOf(row)],
      ...(row.failure === null ? [] : [['reason', row.failure]]),
      ['read', count(Number(read))],
      ['loaded', count(Number(loaded))],
      ['rejected', count(Number(rejected))],
      ['days', daysOf(row) || '-'],
    ],
    '',
  )
}

/** Lists the imports of a project, and undoes them. */
export function addImports(parent: Command): void {
  addList(parent)
  addShow(parent)
  addUndo(parent)
}

function addList(parent: Command): void {
  projectCommand(parent, 'list')
    .option('--limit <number>', 'list at most this many imports, up to 500', '50')
    .description('list imports that changed something, newest first')
    .addHelpText('after', example('import list --project 8c1e…'))
    .action(
      perform<{ project: string; limit: string }>(async (context, { project, limit }) => {
        const most = Number(limit)
        if (!/^\d+$/.test(limit) || most < 1 || most > 500) {
          throw invalid('limit', wholeNumberRule(1, 500), limit)
        }
        const [{ listImports }, { requireProject }] = await Promise.all([
          import('../../../resolvers/projects/imports.ts'),
          import('../../../imports/loads/lock.ts'),
        ])
        const { rows, total } = await withCatalog(context, async (db) => {
          const { id } = await requireProject(db, project.toLowerCase())
          const page = await listImports(db, id, { limit: most, offset: 0 })
          return { rows: page.rows, total: await page.total() }
        })
        return {
          json: { imports: rows.map(jsonOf), total },
          text: columns(rows.map(rowOf), 'No imports.'),
        }
      }),
    )
}

function addShow(parent: Command): void {
  projectCommand(parent, 'show')
    .argument('<id>', 'the import')
    .description('show an import: when, by whom, rows, days')
    .addHelpText('after', example('import show 4f0c… --project 8c1e…'))
    .action(
      perform<{ project: string }, [string]>(async (context, { project }, id) => {
        const { requireImport } = await import('../../../resolvers/projects/imports.ts')
        const row = await withCatalog(context, (db) =>
          requireImport(db, project.toLowerCase(), id.toLowerCase()),
        )
        return { json: jsonOf(row), text: describe(row) }
      }),
    )
}

function addUndo(parent: Command): void {
  projectCommand(parent, 'undo')
    .argument('<id>', 'the import')
    .description('undo an import: remove exactly its rows')
    .addHelpText(
      'after',
      example(
        'import undo 4f0c… --project 8c1e…',
        'Pages, articles and domain authority that the import replaced come back.\n' +
          'Rows of analytics and texts that it replaced do not: import their file again.\n' +
          'A log that is undone can be imported again, also for another host.',
      ),
    )
    .action(
      perform<{ project: string }, [string]>(async (context, { project }, id) => {
        const [{ undoImport }, { commandLine }] = await Promise.all([
          import('../../../imports/loads/undo.ts'),
          import('../../../resolvers/shared/audit-trail.ts'),
        ])
        const options = { projectId: project.toLowerCase(), importId: id.toLowerCase() }
        const done = await withStores(context, (stores) => undoImport(stores, commandLine, options))
        const { loaded, undoneAt } = done.import
        const text = done.changed
          ? `Undone: ${count(Number(loaded))} rows are gone.`
          : `Nothing to change: undone at ${undoneAt?.toISOString()}.`
        return { json: { ...jsonOf(done.import), changed: done.changed }, text }
      }),
    )
}
