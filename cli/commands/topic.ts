import type { Command } from 'commander'
import { projectChange } from '../change.ts'
import { commandGroup, example, projectCommand } from '../options.ts'

export function addTopic(program: Command): void {
  const topic = commandGroup(
    program,
    'topic',
    'manage topics of prompts; `project show` lists them',
    'topic add --project 8c1e… "Headphones"',
  )
  projectCommand(topic, 'add')
    .argument('<name>', 'the name of the topic')
    .description('add a topic, unless one has this name')
    .addHelpText('after', example('topic add --project 8c1e… "Headphones"'))
    .action(
      projectChange<object, [string]>('Added topic', async (write, _options, name) => {
        const topics = await import('../../resolvers/topics/topics.ts')
        return topics.addTopic(write.db, write.actor, write.projectId, { name })
      }),
    )
  projectCommand(topic, 'rename')
    .argument('<topic-id>', 'the topic')
    .argument('<name>', 'the new name')
    .description('rename a topic; its prompts stay in the topic')
    .addHelpText('after', example('topic rename --project 8c1e… 97a2… "Earphones"'))
    .action(
      projectChange<object, [string, string]>(
        'Renamed topic',
        async (write, _options, id, name) => {
          const { renameTopic } = await import('../../resolvers/topics/topics.ts')
          return renameTopic(write.db, write.actor, write.projectId, id, { name })
        },
      ),
    )
  projectCommand(topic, 'remove')
    .argument('<topic-id>', 'the topic')
    .description('remove a topic; its prompts stay without a topic')
    .addHelpText('after', example('topic remove --project 8c1e… 97a2…'))
    .action(
      projectChange<object, [string]>('Removed topic', async (write, _options, id) => {
        const { removeTopic } = await import('../../resolvers/topics/topics.ts')
        return removeTopic(write.db, write.actor, write.projectId, id)
      }),
    )
}
