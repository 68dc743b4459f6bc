import type { Proposals } from '../../core/setup/proposals.ts'
import { CliError } from '../errors.ts'
import type { Context } from '../run.ts'
import { INTERRUPTED, interruptible } from '../signals.ts'
import { type Stores, withStores } from '../stores.ts'

/** Who proposes: the pages of the site by rule, or a model of the workspace's own as well. */
export type Proposer = 'site' | 'model'

/** What is proposed, and what people should know of how. */
export interface Proposed {
  readonly proposals: Proposals
  readonly note: string | null
}

/**
 * Has the site of a project read, then a model asked where one is wanted, and waits for what they propose. Nothing of it
 * is applied.
 * @throws {CliError} `proposals_failed` where nobody proposes anything
 */
export function readProposals(
  context: Context,
  projectId: string,
  proposer: Proposer,
): Promise<Proposed> {
  return interruptible(
    (signal) =>
      withStores(context, (stores) => propose(context, stores, { projectId, proposer }, signal)),
    () =>
      new CliError('interrupted', 'Stopped waiting. The worker goes on reading the site.', {
        exitCode: INTERRUPTED,
      }),
  )
}

/** The newest provider key of the workspace of a project whose model writes, with what an answer costs. */
async function writingKey({ db }: Stores, projectId: string) {
  const [{ modelsOf }, { keyCost }] = await Promise.all([
    import('../../core/collecting/providers/request.ts'),
    import('../../core/collecting/providers/cost.ts'),
  ])
  const keys = await db.providerKey.findMany({
    where: { workspace: { projects: { some: { id: projectId } } } },
    orderBy: { createdAt: 'desc' },
  })
  const key = keys.find(({ provider }) => !modelsOf(provider))
  return key && { id: key.id, label: key.label, cost: await keyCost(key) }
}

async function propose(
  context: Context,
  stores: Stores,
  { projectId, proposer }: { readonly projectId: string; readonly proposer: Proposer },
  signal: AbortSignal,
): Promise<Proposed> {
  const [{ loadSetups, proposeSetup }, { loadSpending }, { commandLine }, { awaitJob }] =
    await Promise.all([
      import('../../resolvers/setup/setup.ts'),
      import('../../resolvers/collecting/spending.ts'),
      import('../../resolvers/shared/audit-trail.ts'),
      import('../await-job.ts'),
    ])
  const { db } = stores
  const privateHosts = context.settings.ALLOW_PRIVATE_HOSTS
  const setupNow = async () => (await loadSetups(db, [projectId]))[0]
  const ask = async (keyId: string | null) => {
    await proposeSetup({ db, privateHosts, spend: loadSpending }, commandLine, projectId, keyId)
    await awaitJob(context, stores, {
      queue: 'setup',
      signal,
      look: async () => {
        const status = (await setupNow())?.status
        if (status === 'queued') return 'waiting'
        return status === 'running' ? 'running' : 'over'
      },
    })
    return setupNow()
  }
  let setup = await ask(null)
  let note: string | null = null
  if (proposer === 'model') {
    const key = await writingKey(stores, projectId)
    if (key) {
      const about = key.cost === null ? 'a cost that is not known' : `about $${key.cost.toFixed(4)}`
      if (!context.asJson) process.stderr.write(`Asking ${key.label} for prompts, for ${about} …\n`)
      setup = await ask(key.id)
      if (setup?.status === 'failed') note = `The model proposed nothing: ${setup.problem}`
    } else {
      note =
        'No provider key of the workspace has a model that writes, so these are by rule. Add a key with `npx sightline provider-key set`.'
    }
  }
  if (setup?.proposals) return { proposals: setup.proposals, note }
  throw new CliError('proposals_failed', `${setup?.problem} The project is there.`)
}

/** A text as one word of a POSIX shell. */
const inShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Commands that accept what is proposed. A competitor needs the domain that nobody proposes. */
function acceptance(projectId: string, { aliases, topics, prompts }: Proposals): string[] {
  const command = (what: string, rest: string) =>
    `npx sightline ${what} add --project ${projectId} ${rest}`
  const byTopic = [...Map.groupBy(prompts, ({ topic }) => topic)]
  return [
    ...aliases.map((alias) => command('alias', inShell(alias))),
    ...topics.map((topic) => command('topic', inShell(topic))),
    ...byTopic.map(([topic, of]) =>
      command(
        'prompt',
        [
          ...of.map(({ text }) => inShell(text)),
          ...(topic ? [`--topic ${inShell(topic)}`] : []),
        ].join(' \\\n    '),
      ),
    ),
  ]
}

/** What is proposed for a project, and the commands that accept it, for people. */
export function proposalsText(projectId: string, { proposals, note }: Proposed): string {
  const { name, aliases, topics, competitors, prompts } = proposals
  const lists = [
    ['Name', name ? [name] : []],
    ['Aliases', aliases],
    ['Competitors', competitors],
    ['Topics', topics],
  ] as const
  const commands = acceptance(projectId, proposals)
  return [
    ...lists.flatMap(([label, texts]) =>
      texts.length > 0 ? [`${`${label}:`.padEnd(13)}${texts.join(', ')}`] : [],
    ),
    ...(prompts.length > 0 ? ['', 'Prompts', ...prompts.map(({ text }) => `  ${text}`)] : []),
    ...(note ? ['', note] : []),
    '',
    'Nothing of it is added yet. Choose in the dashboard, in the set-up of the project.',
    ...(commands.length > 0
      ? [
          'Or run those of these commands that you want:',
          '',
          ...commands.map((each) => `  ${each}`),
        ]
      : []),
  ].join('\n')
}
