import type { Proposals } from '../../core/setup/proposals.ts'
import { CliError } from '../errors.ts'
import type { Context } from '../run.ts'
import { INTERRUPTED, interruptible } from '../signals.ts'
import { type Stores, withStores } from '../stores.ts'

/**
 * Has the site of a project read, and waits for what it proposes. Nothing of it is applied.
 * @throws {CliError} `proposals_failed` where the site says nothing
 */
export function readProposals(context: Context, projectId: string): Promise<Proposals> {
  return interruptible(
    (signal) => withStores(context, (stores) => propose(context, stores, projectId, signal)),
    () =>
      new CliError('interrupted', 'Stopped waiting. The worker goes on reading the site.', {
        exitCode: INTERRUPTED,
      }),
  )
}

async function propose(
  context: Context,
  stores: Stores,
  projectId: string,
  signal: AbortSignal,
): Promise<Proposals> {
  const [{ loadSetups, proposeSetup }, { loadSpending }, { commandLine }, { awaitJob }] =
    await Promise.all([
      import('../../resolvers/setup/setup.ts'),
      import('../../resolvers/collecting/spending.ts'),
      import('../../resolvers/shared/audit-trail.ts'),
      import('../await-job.ts'),
    ])
  const { db } = stores
  const privateHosts = context.settings.ALLOW_PRIVATE_HOSTS
  await proposeSetup({ db, privateHosts, spend: loadSpending }, commandLine, projectId, null)
  const setupNow = async () => (await loadSetups(db, [projectId]))[0]
  await awaitJob(context, stores, {
    queue: 'setup',
    signal,
    look: async () => {
      const status = (await setupNow())?.status
      if (status === 'queued') return 'waiting'
      return status === 'running' ? 'running' : 'over'
    },
  })
  const setup = await setupNow()
  if (setup?.proposals) return setup.proposals
  throw new CliError('proposals_failed', `${setup?.problem} The project is there.`)
}

/** What a site proposes, for people. */
export function proposalsText({ name, aliases, topics, competitors, prompts }: Proposals): string {
  const lists = [
    ['Name', name ? [name] : []],
    ['Aliases', aliases],
    ['Competitors', competitors],
    ['Topics', topics],
  ] as const
  return [
    ...lists.flatMap(([label, texts]) =>
      texts.length > 0 ? [`${`${label}:`.padEnd(13)}${texts.join(', ')}`] : [],
    ),
    ...(prompts.length > 0 ? ['', 'Prompts', ...prompts.map(({ text }) => `  ${text}`)] : []),
    '',
    'Nothing of it is added yet. Choose in the dashboard, in the set-up of the project.',
  ].join('\n')
}
