import type { Command } from 'commander'
import { projectChange } from '../change.ts'
import { commandGroup, example, projectCommand, repeatable } from '../options.ts'
import { readProject } from '../project-details.ts'
import { type CommandResult, type Context, perform } from '../run.ts'
import { withCatalog } from '../stores.ts'
import { columns } from '../text.ts'
import { readAlias, showAliases } from './alias.ts'

interface NewCompetitor {
  name: string
  domain: string
  alias: string[]
}

export function addCompetitor(program: Command): void {
  const competitor = commandGroup(
    program,
    'competitor',
    'manage the competitors of a project',
    'competitor list --project 8c1e…',
  )
  projectCommand(competitor, 'list')
    .description('list competitors by name')
    .addHelpText('after', example('competitor list --project 8c1e…'))
    .action(perform(listCompetitors))
  projectCommand(competitor, 'add')
    .description('add a competitor, unless one has this name and domain')
    .requiredOption('--name <name>', 'name the competitor')
    .requiredOption('--domain <domain>', "set the competitor's domain, such as example.com")
    .option(
      '--alias <text>',
      'add another name; repeatable; a leading = matches its exact case only',
      repeatable,
      [],
    )
    .addHelpText('after', example('competitor add --project 8c1e… --name Bose --domain bose.com'))
    .action(
      projectChange<NewCompetitor>('Added competitor', async (write, { name, domain, alias }) => {
        const competitors = await import('../../resolvers/competitors/change.ts')
        const wanted = { name, domain, aliases: alias.map(readAlias) }
        return competitors.addCompetitor(write.db, write.actor, write.projectId, wanted)
      }),
    )
  projectCommand(competitor, 'remove')
    .argument('<competitor-id>', 'the competitor')
    .description('remove a competitor')
    .addHelpText('after', example('competitor remove --project 8c1e… 41d7…'))
    .action(
      projectChange<object, [string]>('Removed competitor', async (write, _options, id) => {
        const { removeCompetitor } = await import('../../resolvers/competitors/change.ts')
        return removeCompetitor(write.db, write.actor, write.projectId, id)
      }),
    )
}

interface Competitor {
  readonly id: string
  readonly name: string
  readonly domain: string
  readonly aliases: Parameters<typeof showAliases>[0]
}

/** Competitors as rows of text. */
export function competitorRows(competitors: readonly Competitor[]): string[][] {
  return competitors.map(({ id, name, domain, aliases }) => [
    id,
    name,
    domain,
    showAliases(aliases),
  ])
}

async function listCompetitors(
  context: Context,
  { project }: { project: string },
): Promise<CommandResult> {
  const { competitors } = await withCatalog(context, (db) => readProject(db, project))
  return { json: { competitors }, text: columns(competitorRows(competitors), 'No competitors.') }
}
