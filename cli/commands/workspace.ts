import type { Command } from 'commander'
import { notFound } from '../../core/errors.ts'
import type { PlanName } from '../../core/plans.ts'
import type { Catalog } from '../../prisma/client.ts'
import { commandGroup, example } from '../options.ts'
import { perform } from '../run.ts'
import { withCatalog } from '../stores.ts'

interface Options {
  name: string
  plan?: PlanName
  ownerEmail?: string
}

export function addWorkspace(program: Command): void {
  const workspace = commandGroup(
    program,
    'workspace',
    'manage workspaces: people, keys and projects that belong together',
    'workspace create --name "Acme"',
  )
  workspace
    .command('create')
    .description('create a workspace and its owner')
    .requiredOption('--name <name>', 'name the workspace')
    .option('--plan <plan>', 'choose free, starter, growth or enterprise', 'enterprise')
    .option(
      '--owner-email <address>',
      'choose the owner, who may own other workspaces too (default: a new user)',
    )
    .addHelpText('after', example('workspace create --name "Acme"'))
    .action(
      perform<Options>(async (context, options) => {
        const { createWorkspace } = await import('../../resolvers/workspaces.ts')
        const created = await withCatalog(context, (catalog) => createWorkspace(catalog, options))
        return { json: created, text: `Workspace ${created.id}` }
      }),
    )
}

/** @throws {Fault} `not_found` */
export async function requireWorkspace(db: Catalog, id: string): Promise<void> {
  const { isUuid } = await import('../../resolvers/shared/ids.ts')
  if (!isUuid(id) || (await db.workspace.count({ where: { id } })) === 0) throw notFound()
}
