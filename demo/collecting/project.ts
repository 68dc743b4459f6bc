import type { Db } from '../../prisma/client.ts'
import { setProviderKey } from '../../resolvers/collecting/provider-keys.ts'
import { createSchedule } from '../../resolvers/collecting/schedules.ts'
import { setCollectingCaps } from '../../resolvers/collecting/spending.ts'
import { runSchedule } from '../../resolvers/collecting/start.ts'
import type { ProjectRecord } from '../../resolvers/projects/projects.ts'
import { addPrompts } from '../../resolvers/prompts/add.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { projectOfJob } from '../../resolvers/shared/job-scope.ts'
import { inTransaction } from '../../resolvers/shared/transaction.ts'
import { addTopic } from '../../resolvers/topics/topics.ts'
import { addressOf, askedTopics, assistants } from './world.ts'

/** Six prompts at two assistants: 36 questions, at 0 and 12 o'clock UTC. */
const schedule = {
  name: 'Twice a day',
  cron: '0 0,12 * * *',
  repetitions: 3,
  visibility: 'by_answer',
} as const
/** US dollars. A run is expected to cost 0.53, by list prices. */
const caps = { dayCap: 2, monthCap: 40 }
const startMs = 60_000

async function addTopics(tx: Db, project: ProjectRecord): Promise<void> {
  for (const { name, prompts } of askedTopics) {
    const { subjectId } = await addTopic(tx, commandLine, project.id, { name })
    const wanted = prompts.map((text) => ({ text, topicIds: [subjectId] }))
    await addPrompts({ db: tx, project }, commandLine, wanted)
  }
}

async function addKeys(tx: Db, workspaceId: string, signingSecret: string): Promise<void> {
  for (const assistant of assistants) {
    const { label, provider, model } = assistant
    const key = { provider, label, model, baseUrl: addressOf(assistant), secret: 'invented' }
    // The provider answers to runs of the worker alone.
    const test = async () => undefined
    await setProviderKey(tx, commandLine, workspaceId, key, { signingSecret, test })
  }
}

/**
 * Gives the second project of the demonstration its prompts, keys for the invented provider, and a schedule with caps.
 * Starts the first run, which the worker does. A second call changes nothing.
 */
export function beginAsking(db: Db, projectId: string, signingSecret: string): Promise<void> {
  const work = async (tx: Db) => {
    const project = await projectOfJob(tx, projectId)
    if (!project || (await tx.schedule.count({ where: { projectId } })) > 0) return
    await addTopics(tx, project)
    await addKeys(tx, project.workspaceId, signingSecret)
    const keys = assistants.map(({ label }) => label)
    const { row } = await createSchedule(tx, commandLine, projectId, { ...schedule, keys })
    await setCollectingCaps(tx, commandLine, projectId, caps)
    await runSchedule(tx, commandLine, project, row.id)
  }
  return inTransaction(db, work, { timeout: startMs })
}
