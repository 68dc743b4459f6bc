import type { Command } from 'commander'
import { invalid, notFound } from '../../core/errors.ts'
import { wholeNumberRule } from '../../core/rule-text.ts'
import { isUuid } from '../../core/uuid.ts'
import { example } from '../options.ts'
import { type CommandResult, type Context, perform } from '../run.ts'
import { withCatalog } from '../stores.ts'
import { columns } from '../text.ts'
import { requireWorkspace } from './workspace.ts'

interface Options {
  project?: string
  workspace?: string
  limit: string
}

export function addActivity(program: Command): void {
  program
    .command('activity')
    .description('list changes and who made them, newest first')
    .option('--project <id>', 'list changes to this project, which may be deleted')
    .option('--workspace <id>', 'list changes to this workspace and to all its projects')
    .option('--limit <number>', 'list at most this many changes, up to 500', '50')
    .addHelpText('after', example('activity --project 8c1e… --limit 20'))
    .action(perform(activity))
}

async function activity(
  context: Context,
  { project, workspace, limit }: Options,
): Promise<CommandResult> {
  const take = Number(limit)
  if (!/^\d+$/.test(limit) || take < 1 || take > 500) {
    throw invalid('limit', wholeNumberRule(1, 500), limit)
  }
  const { readAuditTrail } = await import('../../resolvers/shared/audit-trail.ts')
  if ((project === undefined) === (workspace === undefined)) {
    throw invalid('project', 'or `--workspace` must be given, and not both')
  }
  const { entries, pagination } = await withCatalog(context, async (db) => {
    if (workspace !== undefined) await requireWorkspace(db, workspace)
    if (project !== undefined && !isUuid(project)) throw notFound()
    const where = project === undefined ? { workspaceId: workspace ?? '' } : { projectId: project }
    const found = await readAuditTrail(db, where, { limit: take, offset: 0 })
    const isEmpty = found.entries.length === 0 && project !== undefined
    if (isEmpty && (await db.project.count({ where: { id: project } })) === 0) throw notFound()
    return found
  })
  const shown = entries.map((entry) => ({ ...entry, id: String(entry.id) }))
  const rows = shown.map(({ at, action, subjectId, keyId, before, after }) => {
    const author = keyId === null ? 'command line' : `key ${keyId}`
    const states = [before, after].map((state) => (state === null ? '' : JSON.stringify(state)))
    return [at.toISOString(), action, subjectId, author, states.join(' → ')]
  })
  return { json: { entries: shown, pagination }, text: columns(rows, 'No changes.') }
}
