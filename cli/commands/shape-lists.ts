import type { Command } from 'commander'
import { perform } from '../run.ts'
import { change, example, ofProject } from './change.ts'
import { readAlias } from './project.ts'
import { listCompetitors } from './shape-reads.ts'

interface NewCompetitor {
  name: string
  domain: string
  alias: string[]
}

/** What a project tracks beside its brand. */
export function addLists(program: Command): void {
  addCompetitors(program)
  addTopics(program)
  addLocations(program)
}

function addCompetitors(program: Command): void {
  const competitor = program.command('competitor').description('Competitors of a project')
  ofProject(competitor, 'list')
    .description('Lists the competitors that a project tracks, by name.')
    .addHelpText('after', example('competitor list --project 8c1e…'))
    .action(perform(listCompetitors))
  ofProject(competitor, 'add')
    .description('Tracks a competitor. One of this name and domain stays as it is.')
    .requiredOption('--name <name>', 'its name')
    .requiredOption('--domain <domain>', 'its domain, such as example.com')
    .option(
      '--alias <text>',
      'another name of it; repeatable; with = before it the case counts',
      (value: string, before: string[]) => [...before, value],
      [],
    )
    .addHelpText('after', example('competitor add --project 8c1e… --name Bose --domain bose.com'))
    .action(
      change<NewCompetitor>('Added competitor', async (who, { name, domain, alias }) => {
        const { addCompetitor } = await import('../../resolvers/competitors/change.ts')
        const wanted = { name, domain, aliases: alias.map(readAlias) }
        return addCompetitor(who.db, who.actor, who.projectId, wanted)
      }),
    )
  ofProject(competitor, 'remove')
    .argument('<competitor-id>', 'the competitor')
    .description('Tracks a competitor no longer.')
    .addHelpText('after', example('competitor remove --project 8c1e… 41d7…'))
    .action(
      change<object, [string]>('Removed competitor', async (who, _options, id) => {
        const { removeCompetitor } = await import('../../resolvers/competitors/change.ts')
        return removeCompetitor(who.db, who.actor, who.projectId, id)
      }),
    )
}

function addTopics(program: Command): void {
  const topic = program.command('topic').description('Topics of prompts; `project show` lists them')
  ofProject(topic, 'add')
    .argument('<name>', 'what it is called')
    .description('Adds a topic. One of this name stays as it is.')
    .addHelpText('after', example('topic add --project 8c1e… "Headphones"'))
    .action(
      change<object, [string]>('Added topic', async (who, _options, name) => {
        const { addTopic } = await import('../../resolvers/topics/topics.ts')
        return addTopic(who.db, who.actor, who.projectId, { name })
      }),
    )
  ofProject(topic, 'rename')
    .argument('<topic-id>', 'the topic')
    .argument('<name>', 'what it is called from now on')
    .description('Gives a topic another name; its prompts stay with it.')
    .addHelpText('after', example('topic rename --project 8c1e… 97a2… "Earphones"'))
    .action(
      change<object, [string, string]>('Renamed topic', async (who, _options, id, name) => {
        const { renameTopic } = await import('../../resolvers/topics/topics.ts')
        return renameTopic(who.db, who.actor, who.projectId, id, { name })
      }),
    )
  ofProject(topic, 'remove')
    .argument('<topic-id>', 'the topic')
    .description('Removes a topic. Its prompts stay, without it.')
    .addHelpText('after', example('topic remove --project 8c1e… 97a2…'))
    .action(
      change<object, [string]>('Removed topic', async (who, _options, id) => {
        const { removeTopic } = await import('../../resolvers/topics/topics.ts')
        return removeTopic(who.db, who.actor, who.projectId, id)
      }),
    )
}

function addLocations(program: Command): void {
  const location = program
    .command('location')
    .description('Places that answers are collected at; `project show` lists them')
  ofProject(location, 'add')
    .argument('<place>', 'such as "Berlin, Germany", "Austin, Texas, US" or DE')
    .description('Adds a place. One that is there stays as it is.')
    .addHelpText('after', example('location add --project 8c1e… "Berlin, Germany"'))
    .action(
      change<object, [string]>('Added place', async (who, _options, place) => {
        const [{ addLocation }, { idOf }] = await Promise.all([
          import('../../resolvers/locations.ts'),
          import('../../imports/files/ids.ts'),
        ])
        return addLocation(who.db, who.actor, who.projectId, { place }, (project, label) =>
          idOf(project, 'location', label),
        )
      }),
    )
  ofProject(location, 'remove')
    .argument('<location-id>', 'the place')
    .description('Removes a place. The answers collected there stay.')
    .addHelpText('after', example('location remove --project 8c1e… 6b30…'))
    .action(
      change<object, [string]>('Removed place', async (who, _options, id) => {
        const { removeLocation } = await import('../../resolvers/locations.ts')
        return removeLocation(who.db, who.actor, who.projectId, id)
      }),
    )
}
