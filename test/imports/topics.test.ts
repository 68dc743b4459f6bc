import { expect, test } from 'vitest'
import { importAnswers } from '../../imports/answers/answers.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { renameTopic } from '../../resolvers/topics/topics.ts'
import { makeProject, useStores } from '../kit/imports/imports.ts'

const stores = useStores()

const line = (prompt: string, topic: string) =>
  JSON.stringify({ prompt, topic, platform: 'chatgpt', collectedAt: '2025-05-10', text: 'Acme.' })

/** The prompts of each topic, by name. */
async function promptsByTopic(projectId: string): Promise<Record<string, string[]>> {
  const topics = await stores.db.topic.findMany({
    where: { projectId },
    include: { prompts: { include: { prompt: true } } },
  })
  return Object.fromEntries(
    topics.map(({ name, prompts }) => [name, prompts.map(({ prompt }) => prompt.text).sort()]),
  )
}

test('a topic that was renamed keeps its prompts, and its old name is free for a new topic', async () => {
  const projectId = await makeProject(stores)
  await importAnswers(stores, { projectId, lines: [line('first?', 'Audio')] })
  const { id } = await stores.db.topic.findFirstOrThrow({ where: { projectId } })
  await renameTopic(stores.db, commandLine, projectId, id, { name: 'Sound' })
  const lines = [line('second?', 'Audio'), line('third?', 'Sound'), line('fourth?', 'Audio')]
  await importAnswers(stores, { projectId, lines })
  expect(await promptsByTopic(projectId)).toEqual({
    Audio: ['fourth?', 'second?'],
    Sound: ['first?', 'third?'],
  })
})
