import type { Command } from 'commander'
import type { EffectMetric } from '../../core/opportunities/effect.ts'
import type { Catalog } from '../../prisma/client.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import { describeChange } from '../change.ts'
import { commandGroup, example, projectCommand } from '../options.ts'
import { readProject } from '../project-details.ts'
import { type CommandResult, type Context, perform } from '../run.ts'
import { withCatalog } from '../stores.ts'
import { columns } from '../text.ts'

interface OfProject {
  project: string
}

const changes = () => import('../../resolvers/opportunities/change.ts')

/** The action of a command that changes one opportunity. */
function transition<Options extends object = object>(
  done: string,
  work: (
    write: { db: Catalog; actor: Actor; projectId: string; opportunityId: string },
    options: Options,
  ) => Promise<{ changed: boolean }>,
) {
  return perform<Options & OfProject, [string]>(async (context, options, opportunityId) => {
    const { commandLine } = await import('../../resolvers/shared/audit-trail.ts')
    const { changed } = await withCatalog(context, (db) =>
      work({ db, actor: commandLine, projectId: options.project, opportunityId }, options),
    )
    const json = { id: opportunityId, changed }
    return { json, text: describeChange(done, json) }
  })
}

export function addOpportunities(program: Command): void {
  const group = commandGroup(
    program,
    'opportunities',
    'list opportunities, complete or dismiss them',
    'opportunities list --project 8c1e…',
  )
  projectCommand(group, 'list')
    .description('list active opportunities, largest expected effect and least effort first')
    .option('--all', 'list opportunities in all states')
    .addHelpText('after', example('opportunities list --project 8c1e…'))
    .action(perform(list))
  projectCommand(group, 'refresh')
    .description('queue an evaluation of all rules for a worker')
    .addHelpText('after', example('opportunities refresh --project 8c1e…'))
    .action(perform(refresh))
  projectCommand(group, 'complete')
    .argument('<opportunity-id>', 'the opportunity')
    .description('mark an active opportunity as done')
    .addHelpText('after', example('opportunities complete --project 8c1e… 5b07…'))
    .action(
      transition('Completed opportunity', async ({ db, actor, ...target }) =>
        (await changes()).completeOpportunity(db, actor, target),
      ),
    )
  projectCommand(group, 'dismiss')
    .argument('<opportunity-id>', 'the opportunity')
    .description('dismiss an active opportunity until its impact rises')
    .requiredOption('--reason <text>', 'say why, in up to 500 characters')
    .addHelpText(
      'after',
      example('opportunities dismiss --project 8c1e… 5b07… --reason "Not our market"'),
    )
    .action(
      transition<{ reason: string }>(
        'Dismissed opportunity',
        async ({ db, actor, ...target }, { reason }) =>
          (await changes()).dismissOpportunity(db, actor, target, { reason }),
      ),
    )
  projectCommand(group, 'reopen')
    .argument('<opportunity-id>', 'the opportunity')
    .description('make an opportunity active again')
    .addHelpText('after', example('opportunities reopen --project 8c1e… 5b07…'))
    .action(
      transition('Reopened opportunity', async ({ db, actor, ...target }) =>
        (await changes()).reopenOpportunity(db, actor, target),
      ),
    )
}

/** A list longer than this is for REST and GraphQL. */
const most = 1000

async function list(
  context: Context,
  { project, all }: OfProject & { all?: true },
): Promise<CommandResult> {
  const { listOpportunities } = await import('../../resolvers/opportunities/opportunities.ts')
  const { effectText } = await import('../../core/opportunities/effect.ts')
  const found = await withCatalog(context, async (db) => {
    const { id, kind } = await readProject(db, project)
    const args = { includeResolved: all ?? false, limit: most, offset: 0 }
    return listOpportunities(db, { id, kind }, args)
  })
  const rows = found.opportunities.map(
    ({ id, effectMetric, effectValue, effort, status, title }) => {
      const metric = effectMetric as EffectMetric | null
      const effect = metric === null ? '' : effectText({ metric, value: effectValue })
      return [id, effect, `${effort} effort`, status, title]
    },
  )
  const { summary } = found
  const opportunities = found.opportunities.map(({ sortedBy: _, ...row }) => row)
  return { json: { summary, opportunities }, text: columns(rows, 'No opportunities.') }
}

async function refresh(context: Context, { project }: OfProject): Promise<CommandResult> {
  const { commandLine } = await import('../../resolvers/shared/audit-trail.ts')
  const { refreshOpportunities } = await changes()
  const { changed } = await withCatalog(context, (db) =>
    refreshOpportunities(db, commandLine, project),
  )
  const text = changed ? 'A worker will evaluate the rules.' : 'An evaluation waits already.'
  return { json: { changed }, text }
}
