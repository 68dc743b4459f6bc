import type { Command } from 'commander'
import { projectChange } from '../change.ts'
import { commandGroup, example, projectCommand } from '../options.ts'

export function addLocation(program: Command): void {
  const location = commandGroup(
    program,
    'location',
    'manage locations that answers are collected from; `project show` lists them',
    'location add --project 8c1e… "Berlin, Germany"',
  )
  projectCommand(location, 'add')
    .argument('<place>', 'such as "Berlin, Germany", "Austin, Texas, US" or DE')
    .description('add a location, unless the project has it')
    .addHelpText('after', example('location add --project 8c1e… "Berlin, Germany"'))
    .action(
      projectChange<object, [string]>('Added location', async (write, _options, place) => {
        const locations = await import('../../resolvers/locations.ts')
        return locations.addLocation(write.db, write.actor, write.projectId, { place })
      }),
    )
  projectCommand(location, 'remove')
    .argument('<location-id>', 'the location')
    .description('remove a location; the answers collected there stay')
    .addHelpText('after', example('location remove --project 8c1e… 6b30…'))
    .action(
      projectChange<object, [string]>('Removed location', async (write, _options, id) => {
        const { removeLocation } = await import('../../resolvers/locations.ts')
        return removeLocation(write.db, write.actor, write.projectId, id)
      }),
    )
}
