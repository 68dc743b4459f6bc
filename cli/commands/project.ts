import { type Command, Option } from 'commander'
import { changeProject } from '../change.ts'
import { CliError } from '../errors.ts'
import { commandGroup, example, repeatable } from '../options.ts'
import { byName, type ProjectDetails, projectFacts, readProject } from '../project-details.ts'
import { type CommandResult, type Context, perform } from '../run.ts'
import { withCatalog, withStores } from '../stores.ts'
import { columns } from '../text.ts'
import { readAlias, showAliases } from './alias.ts'
import { competitorRows } from './competitor.ts'
import { addMatches } from './name.ts'
import { requireWorkspace } from './workspace.ts'

export function addProject(program: Command): void {
  const project = commandGroup(
    program,
    'project',
    'manage projects; a project is a brand with its competitors',
    'project list',
  )
  addCreate(project)
  project
    .command('list')
    .description('list projects by name')
    .option('--workspace <workspace>', 'list the projects of this workspace only')
    .addHelpText('after', example('project list'))
    .action(perform(listProjects))
  project
    .command('show')
    .argument('<id>', 'the project')
    .description('show names, domains, competitors, topics and locations of a project')
    .addHelpText('after', example('project show 8c1e…'))
    .action(perform(showProject))
  addRename(project)
  addStatusCommands(project)
  addMatches(project)
  addDelete(project)
}

interface NewProject {
  workspace: string
  name: string
  domain: string
  alias: string[]
  competitor: string[]
  kind: 'regular' | 'pitch'
  sentiment?: 'rules' | 'model'
  propose?: true | 'site' | 'model'
}

function addCreate(project: Command): void {
  project
    .command('create')
    .description('create a project for one brand')
    .requiredOption('--workspace <workspace>', 'select the workspace that owns the project')
    .requiredOption('--name <name>', 'name the brand')
    .requiredOption('--domain <domain>', "set the brand's main domain, such as example.com")
    .option('--alias <text>', 'add another name of the brand; repeatable', repeatable, [])
    .option('--competitor <name:domain>', 'add a competitor; repeatable', repeatable, [])
    .option('--kind <kind>', 'choose regular or pitch', 'regular')
    .addOption(
      new Option(
        '--sentiment <by>',
        'rate the sentiment of answers by rules or by a model',
      ).choices(['rules', 'model']),
    )
    .addOption(
      new Option(
        '--propose [by]',
        "propose names, competitors, topics and prompts from the brand's site, or prompts by a model of the workspace's own too",
      ).choices(['site', 'model']),
    )
    .addHelpText(
      'after',
      example(
        'project create --workspace 5f0c… --name "Sony" --domain sony.com \\\n' +
          '      --alias "Sony Corporation" --alias "=PlayStation" --competitor "Bose:bose.com"',
        'Answers are searched for the name and the aliases in any case.\n' +
          'A word of the dictionary, one or two letters, and an alias that begins with = match their exact case only.\n' +
          'See what counts with `npx sightline project matches`.\n' +
          'The model of the newest provider key rates sentiment, for at most $5.00 a month; rules do without a key.\n' +
          'With --propose the worker reads up to 12 pages of the site, or the command does where none runs. It costs nothing.\n' +
          'With --propose model the newest provider key that writes is asked too, once its cost is said.',
      ),
    )
    .action(
      perform<NewProject>(async (context, options) => {
        const [{ createProject }, { firstSentimentMethod }] = await Promise.all([
          import('../../resolvers/projects/create.ts'),
          import('../../resolvers/sentiment/method.ts'),
        ])
        const { workspace: workspaceId, name, domain, kind } = options
        const aliases = options.alias.map(readAlias)
        const competitors = options.competitor.map(readCompetitor)
        const input = {
          workspaceId,
          name,
          domain,
          kind,
          aliases,
          competitors,
          ...(options.sentiment ? { sentimentBy: options.sentiment } : {}),
        }
        const created = await withCatalog(context, (catalog, secrets) =>
          createProject(catalog, input, secrets.signingSecrets[0], {
            firstMethod: firstSentimentMethod,
          }),
        )
        const { sentimentVersion } = created
        const rater = sentimentVersion ? `\nSentiment   by ${sentimentVersion}` : ''
        const text = `Project     ${created.id}\nSite token  ${created.siteToken}${rater}`
        if (!options.propose) return { json: created, text }
        const { proposalsText, readProposals } = await import('./project-proposals.ts')
        if (!context.asJson) process.stderr.write(`Reading ${domain} …\n`)
        const proposer = options.propose === 'model' ? 'model' : 'site'
        const proposed = await readProposals(context, created.id, proposer)
        const { proposals, note } = proposed
        return {
          json: { ...created, proposals, note },
          text: `${text}\n\n${proposalsText(created.id, proposed)}`,
        }
      }),
    )
}

// The name may hold colons, and the domain may begin with https://.
function readCompetitor(text: string): { name: string; domain: string } {
  const { name, domain } =
    /^(?<name>.+?):(?<domain>(?:https?:\/\/)?[^:]+)$/.exec(text)?.groups ?? {}
  if (name && domain) return { name, domain }
  const message = `\`--competitor\` must be a name and a domain, such as Bose:bose.com; got \`${text}\`.`
  throw new CliError('usage', message, { exitCode: 2 })
}

function describeStatus({ status, isActive }: Pick<ProjectDetails, 'status' | 'isActive'>): string {
  return isActive ? status : `${status}, switched off`
}

function describeLocation({ city, region, countryCode }: ProjectDetails['locations'][number]) {
  return [city, region, countryCode].filter((part) => part !== null).join(', ')
}

async function listProjects(
  context: Context,
  { workspace }: { workspace?: string },
): Promise<CommandResult> {
  const projects = await withCatalog(context, async (db) => {
    if (workspace !== undefined) await requireWorkspace(db, workspace)
    return db.project.findMany({
      where: workspace === undefined ? {} : { workspaceId: workspace },
      select: projectFacts,
      orderBy: byName,
    })
  })
  const rows = projects.map((each) => [each.id, describeStatus(each), each.name, each.domain])
  return { json: { projects }, text: columns(rows, 'No projects.') }
}

async function showProject(context: Context, _options: object, id: string): Promise<CommandResult> {
  const project = await withCatalog(context, (db) => readProject(db, id))
  const facts = [
    ['Project', project.id],
    ['Workspace', project.workspaceId],
    ['Brand', project.name],
    ['Aliases', showAliases(project.aliases)],
    ['Domains', [project.domain, ...project.ownDomains].join(', ')],
    ['Status', describeStatus(project)],
    ['Industry', project.industry ?? ''],
    ['About', project.description ?? ''],
  ].filter(([, value]) => value !== '')
  const lists = [
    ['Competitors', competitorRows(project.competitors)],
    ['Topics', project.topics.map(({ id, name }) => [id, name])],
    ['Locations', project.locations.map((location) => [location.id, describeLocation(location)])],
  ] as const
  const parts = lists.flatMap(([title, rows]) =>
    rows.length === 0 ? [] : [`${title}\n${columns(rows, '').replaceAll(/^/gm, '  ')}`],
  )
  return { json: project, text: [columns(facts, ''), ...parts].join('\n\n') }
}

interface Renaming {
  name?: string
  domain?: string
  keepOldName?: true
}

function addRename(project: Command): void {
  project
    .command('rename')
    .argument('<id>', 'the project')
    .description("change the brand's name, its main domain, or both")
    .option('--name <name>', 'set the name of the brand')
    .option('--keep-old-name', 'keep the old name as an alias')
    .option('--domain <domain>', "set the brand's main domain, such as example.com")
    .addHelpText('after', example('project rename 8c1e… --name "Sony Group" --keep-old-name'))
    .action(
      perform<Renaming, [string]>(async (context, { name, domain, keepOldName }, id) => {
        if (name === undefined && domain === undefined) {
          throw new CliError('usage', 'Give `--name`, `--domain` or both.', { exitCode: 2 })
        }
        const { updateProject } = await import('../../resolvers/projects/change.ts')
        return changeProject(context, id, 'Renamed project', ({ db, actor, projectId }) =>
          updateProject(db, actor, projectId, {
            ...(name === undefined ? {} : { name }),
            ...(domain === undefined ? {} : { domain }),
            keepOldName: keepOldName ?? false,
          }),
        )
      }),
    )
}

const statusCommands = {
  pause: ['paused', 'pause a project: its reports stay, its background work stops'],
  archive: ['archived', 'archive a project: its reports stay, its background work stops'],
  deactivate: [
    'inactive',
    'switch a project off: no request about it is answered until it is active',
  ],
  activate: ['active', 'activate a project that was paused, archived or switched off'],
} as const

function addStatusCommands(project: Command): void {
  for (const [verb, [status, description]] of Object.entries(statusCommands)) {
    project
      .command(verb)
      .argument('<id>', 'the project')
      .description(description)
      .addHelpText('after', example(`project ${verb} 8c1e…`))
      .action(
        perform<object, [string]>(async (context, _options, id) => {
          const { setProjectStatus } = await import('../../resolvers/projects/change.ts')
          return changeProject(context, id, `Now ${status}: project`, ({ db, actor, projectId }) =>
            setProjectStatus(db, actor, projectId, status),
          )
        }),
      )
  }
}

function addDelete(project: Command): void {
  project
    .command('delete')
    .argument('<id>', 'the project')
    .description('delete a project for good, with its prompts, answers and bound keys')
    .option('--yes', 'confirm the deletion')
    .addHelpText(
      'after',
      example('project delete 8c1e… --yes', 'The audit trail keeps the changes to the project.'),
    )
    .action(
      perform<{ yes?: true }, [string]>(async (context, { yes }, id) => {
        if (!yes) {
          const message = 'Nothing was deleted. A deletion is final: confirm it with `--yes`.'
          throw new CliError('usage', message, { exitCode: 2 })
        }
        const [{ removeProject }, { commandLine }] = await Promise.all([
          import('../../imports/loads/removal.ts'),
          import('../../resolvers/shared/audit-trail.ts'),
        ])
        const projectId = id.toLowerCase()
        const { subjectId } = await withStores(context, (stores) =>
          removeProject(stores, commandLine, projectId),
        )
        return { json: { id: subjectId, changed: true }, text: `Deleted project ${subjectId}` }
      }),
    )
}
