import { type JobData, notEnded } from '../../core/queues.ts'
import { type Proposals, proposalsOf, unrepeated } from '../../core/setup/proposals.ts'
import { asStored, storedAs } from '../../core/stored-json.ts'
import { AskFault } from '../../imports/collecting/ask.ts'
import type { JobSteps, Work } from '../job.ts'
import { ModelFault, promptsByModel } from './model.ts'
import { readSite, SiteFault } from './site.ts'

const none: Proposals = {
  name: null,
  description: null,
  aliases: [],
  topics: [],
  competitors: [],
  prompts: [],
}

/** Reads the site, and makes proposals of its pages by rule. @throws {SiteFault} */
async function bySite(work: Work, projectId: string): Promise<Proposals> {
  const { db } = work
  const { name, domain, ownDomains } = await db.project.findUniqueOrThrow({
    where: { id: projectId },
    include: { ownDomains: true },
  })
  const domains = [domain, ...ownDomains.map((own) => own.domain)]
  const pages = await readSite(work, { projectId, domain, ownDomains: domains }, async (count) => {
    await db.projectSetup.updateMany({ where: { projectId }, data: { pagesRead: count } })
  })
  return proposalsOf(pages, { name, domain })
}

/** The proposals of before, with the prompts of a model in front. @throws {AskFault} @throws {ModelFault} */
async function byModel(
  work: Work,
  projectId: string,
  keyId: string,
  before: Proposals,
): Promise<Proposals> {
  const prompts = await promptsByModel(work, projectId, keyId)
  const topics = [...before.topics, ...prompts.flatMap(({ topic }) => topic ?? [])]
  return {
    ...before,
    topics: [...new Set(topics)],
    prompts: unrepeated([...prompts, ...before.prompts]),
  }
}

/** Why there are no proposals, where it is the fault of a site or a provider. */
function problemOf(error: unknown): string | null {
  const isOutside =
    error instanceof SiteFault || error instanceof ModelFault || error instanceof AskFault
  return isOutside ? error.message : null
}

async function markFailed({ db }: Pick<Work, 'db'>, projectId: string, problem: string) {
  const where = { projectId, status: notEnded }
  await db.projectSetup.updateMany({ where, data: { status: 'failed', problem } })
}

/** Makes the proposals that the set-up of a project waits for. */
export const setupJob: JobSteps<JobData['setup']> = {
  async run({ projectId }, work) {
    const { db } = work
    const where = { projectId, status: notEnded }
    const taken = await db.projectSetup.updateMany({ where, data: { status: 'running' } })
    if (taken.count === 0) return
    const row = await db.projectSetup.findUniqueOrThrow({ where: { projectId } })
    const before = storedAs<Proposals | null>(row.proposals) ?? none
    try {
      const proposals = row.askedKeyId
        ? await byModel(work, projectId, row.askedKeyId, before)
        : await bySite(work, projectId)
      await db.projectSetup.updateMany({
        where,
        data: {
          status: 'completed',
          problem: null,
          proposals: asStored(proposals),
        },
      })
    } catch (error) {
      const problem = problemOf(error)
      if (problem === null) throw error
      await markFailed(work, projectId, problem)
    }
  },
  fail: ({ projectId }, sources) =>
    markFailed(sources, projectId, 'The service failed. Its log has the error.'),
}
