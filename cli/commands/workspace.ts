import type { Command } from 'commander'
import type { PlanName } from '../../core/plans.ts'
import { perform } from '../run.ts'
import { withCatalog } from '../stores.ts'

interface Options {
  name: string
  plan?: PlanName
  ownerEmail?: string
}

export function addWorkspace(program: Command): void {
  const workspace = program.command('workspace').description('Workspaces: who works together')
  workspace
    .command('create')
    .description('Makes a workspace and its owner, who owns the keys that are made in it.')
    .requiredOption('--name <name>', 'what people call it')
    .option('--plan <plan>', 'free, starter, growth or enterprise', 'enterprise')
    .option(
      '--owner-email <address>',
      'the owner, who may own others too (default: a user of its own)',
    )
    .addHelpText('after', '\nExample:\n  $ npx sightline workspace create --name "Acme"')
    .action(
      perform<Options>(async (context, options) => {
        const { createWorkspace } = await import('../../resolvers/workspaces.ts')
        const made = await withCatalog(context, (catalog) => createWorkspace(catalog, options))
        return { json: made, text: `Workspace ${made.id}` }
      }),
    )
}
