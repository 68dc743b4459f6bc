import { randomUUID } from 'node:crypto'
import { costOf, expectedCost } from '../../core/collecting/providers/cost.ts'
import { modelQuestion, promptsOfReply } from '../../core/setup/model.ts'
import type { ProposedPrompt } from '../../core/setup/proposals.ts'
import { utcDayOf } from '../../core/window.ts'
import { openAsker } from '../../imports/collecting/ask.ts'
import { openProviderKey } from '../../resolvers/collecting/provider-keys.ts'
import { countUnderCaps } from '../../resolvers/setup/setup.sql.ts'
import type { Work } from '../job.ts'

/** A model that wrote no prompts, and why: a sentence for whoever sets up the project. */
export class ModelFault extends Error {}

async function pay({ db }: Work, projectId: string, cost: number): Promise<void> {
  const at = new Date()
  await db.$transaction([
    db.proposalCost.create({ data: { id: randomUUID(), projectId, cost, endedAt: at } }),
    db.$executeRawUnsafe(countUnderCaps, projectId, cost, utcDayOf(at)),
  ])
}

/**
 * Asks the model of a provider key for the prompts of a project, once. What it takes counts under the caps.
 * @throws {ModelFault} where it writes none
 */
export async function promptsByModel(
  work: Work,
  projectId: string,
  keyId: string,
): Promise<ProposedPrompt[]> {
  const { db, settings, secrets } = work
  const [project, access] = await Promise.all([
    db.project.findUniqueOrThrow({
      where: { id: projectId },
      include: { aliases: true, topics: true, competitors: true, setup: true },
    }),
    openProviderKey(db, keyId, secrets.signingSecrets),
  ])
  if (!access) throw new ModelFault('The provider key is gone, or its secret cannot be opened.')
  const { name, domain, description, aliases, competitors } = project
  const proposed = project.setup?.proposals as { topics?: readonly string[] } | null
  const topics = [
    ...new Set([...project.topics.map((topic) => topic.name), ...(proposed?.topics ?? [])]),
  ]
  const question = modelQuestion({
    name,
    domain,
    description,
    topics,
    competitors: competitors.map((competitor) => competitor.name),
  })
  const signal = AbortSignal.any([work.signal, work.stopping])
  const { reply } = await openAsker(settings.ALLOW_PRIVATE_HOSTS).ask(access, question, { signal })
  const cost = await costOf(access.provider, access.model, reply.usage)
  await pay(work, projectId, cost ?? (await expectedCost(access.provider, access.model)) ?? 0)
  const prompts = promptsOfReply(reply.text, [name, ...aliases.map(({ text }) => text)])
  if (prompts.length === 0) {
    throw new ModelFault('The model answered without a list of prompts. Ask it once more.')
  }
  return prompts
}
