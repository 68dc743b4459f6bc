import type { Command } from 'commander'
import type { Outcome } from '../../resolvers/shared/change.ts'
import { CliError } from '../errors.ts'
import { perform, type Outcome as Said } from '../run.ts'
import { withStores } from '../stores.ts'
import { change, example, ofProject, projectChange } from './change.ts'
import { readAlias } from './project.ts'
import { listProjects, showProject } from './shape-reads.ts'

interface Renaming {
  name?: string
  domain?: string
  keepOldName?: true
}

const states = {
  pause: ['paused', 'Lets a project rest: it is read as before, but runs no background work.'],
  archive: ['archived', 'Keeps a project to be read: it runs no background work.'],
  activate: ['active', 'Tracks a project again, or one that was switched off.'],
} as const

/** What is done to a project as a whole. */
export function addProjectShaping(project: Command): void {
  project
    .command('list')
    .description('Lists the projects, by name.')
    .option('--workspace <id>', 'those of one workspace alone')
    .addHelpText('after', example('project list'))
    .action(perform(listProjects))
  project
    .command('show')
    .argument('<id>', 'the project')
    .description('Shows what a project tracks: names, domains, competitors, topics and places.')
    .addHelpText('after', example('project show 8c1e…'))
    .action(perform(showProject))
  project
    .command('rename')
    .argument('<id>', 'the project')
    .description('Gives the brand of a project another name, another main domain, or both.')
    .option('--name <name>', 'the brand')
    .option('--keep-old-name', 'make the name that it had an alias')
    .option('--domain <domain>', "the brand's main domain, such as example.com")
    .addHelpText('after', example('project rename 8c1e… --name "Sony Group" --keep-old-name'))
    .action(
      perform<Renaming, [string]>(async (context, { name, domain, keepOldName }, id) => {
        if (name === undefined && domain === undefined) {
          throw new CliError('usage', 'Give --name, --domain or both.', { exitCode: 2 })
        }
        const { updateProject } = await import('../../resolvers/projects/change.ts')
        return projectChange(context, id, 'Renamed project', ({ db, actor, projectId }) =>
          updateProject(db, actor, projectId, {
            ...(name === undefined ? {} : { name }),
            ...(domain === undefined ? {} : { domain }),
            keepOldName: keepOldName ?? false,
          }),
        )
      }),
    )
  for (const [verb, [status, description]] of Object.entries(states)) {
    project
      .command(verb)
      .argument('<id>', 'the project')
      .description(description)
      .addHelpText('after', example(`project ${verb} 8c1e…`))
      .action(
        perform<object, [string]>(async (context, _options, id) => {
          const { setProjectStatus } = await import('../../resolvers/projects/change.ts')
          return projectChange(context, id, `Now ${status}: project`, ({ db, actor, projectId }) =>
            setProjectStatus(db, actor, projectId, status),
          )
        }),
      )
  }
  addDelete(project)
}

function addDelete(project: Command): void {
  project
    .command('delete')
    .argument('<id>', 'the project')
    .description(
      'Deletes a project for good: what it tracks, its prompts, its answers, and the keys bound to it. Its ' +
        'changes stay in the audit trail.',
    )
    .option('--yes', 'that you mean it')
    .addHelpText('after', example('project delete 8c1e… --yes'))
    .action(
      perform<{ yes?: true }, [string]>(async (context, { yes }, id): Promise<Said> => {
        if (!yes) {
          const message = 'Nothing was deleted: a project is gone for good, so add --yes.'
          throw new CliError('usage', message, { exitCode: 2 })
        }
        const [{ removeProject }, { deleteProject }, { commandLine }] = await Promise.all([
          import('../../imports/loads/removal.ts'),
          import('../../resolvers/projects/change.ts'),
          import('../../resolvers/shared/audit-trail.ts'),
        ])
        const projectId = id.toLowerCase()
        const { subjectId } = await withStores(context, (stores) =>
          removeProject(stores, projectId, () => deleteProject(stores.db, commandLine, projectId)),
        )
        return { json: { id: subjectId, changed: true }, text: `Deleted project ${subjectId}` }
      }),
    )
}

/** The other names and domains of a brand. */
export function addBrandShaping(program: Command): void {
  const alias = program.command('alias').description('Other names of a brand or of a competitor')
  for (const verb of ['add', 'remove'] as const) {
    ofProject(alias, verb)
      .argument('<text>', 'the name; one that begins with = counts only when written exactly so')
      .option('--competitor <id>', 'a name of this competitor (default: of the brand)')
      .description(`${verb === 'add' ? 'Adds another' : 'Removes a'} name.`)
      .addHelpText('after', example(`alias ${verb} --project 8c1e… "=PlayStation"`))
      .action(changeAlias(verb))
  }
  const ownDomain = program.command('own-domain').description("A brand's domains but its main one")
  for (const verb of ['add', 'remove'] as const) {
    ofProject(ownDomain, verb)
      .argument('<domain>', 'such as example.com')
      .description(`${verb === 'add' ? 'Adds another' : 'Removes a'} domain of the brand.`)
      .addHelpText('after', example(`own-domain ${verb} --project 8c1e… sony.net`))
      .action(
        change<object, [string]>(`${done[verb]} domain`, async (who, _options, domain) => {
          const { addOwnDomain, removeOwnDomain } = await import(
            '../../resolvers/projects/own-domains.ts'
          )
          const work = verb === 'add' ? addOwnDomain : removeOwnDomain
          return work(who.db, who.actor, who.projectId, { domain })
        }),
      )
  }
}

const done = { add: 'Added', remove: 'Removed' } as const

function changeAlias(verb: 'add' | 'remove') {
  return change<{ competitor?: string }, [string]>(
    `${done[verb]} alias`,
    async ({ db, actor, projectId }, { competitor }, text): Promise<Outcome> => {
      const alias = readAlias(text)
      if (competitor === undefined) {
        const brand = await import('../../resolvers/projects/aliases.ts')
        const work = verb === 'add' ? brand.addBrandAlias : brand.removeBrandAlias
        return work(db, actor, projectId, alias)
      }
      const rivals = await import('../../resolvers/competitors/change.ts')
      const work = verb === 'add' ? rivals.addCompetitorAlias : rivals.removeCompetitorAlias
      return work(db, actor, projectId, competitor, alias)
    },
  )
}
