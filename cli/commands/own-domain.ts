import type { Command } from 'commander'
import { projectChange } from '../change.ts'
import { commandGroup, example, projectCommand } from '../options.ts'

const verbs = {
  add: ['add a domain that belongs to the brand', 'Added domain'],
  remove: ['remove a domain of the brand', 'Removed domain'],
} as const

export function addOwnDomain(program: Command): void {
  const ownDomain = commandGroup(
    program,
    'own-domain',
    "manage a brand's domains in addition to the main domain",
    'own-domain add --project 8c1e… sony.net',
  )
  for (const verb of ['add', 'remove'] as const) {
    const [description, done] = verbs[verb]
    projectCommand(ownDomain, verb)
      .argument('<domain>', 'such as example.com')
      .description(description)
      .addHelpText('after', example(`own-domain ${verb} --project 8c1e… sony.net`))
      .action(
        projectChange<object, [string]>(done, async (write, _options, domain) => {
          const ownDomains = await import('../../resolvers/projects/own-domains.ts')
          const work = verb === 'add' ? ownDomains.addOwnDomain : ownDomains.removeOwnDomain
          return work(write.db, write.actor, write.projectId, { domain })
        }),
      )
  }
}
