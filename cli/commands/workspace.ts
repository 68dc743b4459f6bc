import type { Command } from 'commander'
import { notFound } from '../../core/errors.ts'
import type { PlanName } from '../../core/plans.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Catalog } from '../../prisma/client.ts'
import { describeChange } from '../change.ts'
import { workspaceIdOf } from '../names.ts'
import { commandGroup, example } from '../options.ts'
import { byName } from '../project-details.ts'
import { type CommandResult, type Context, perform } from '../run.ts'
import { withCatalog } from '../stores.ts'
import { columns } from '../text.ts'

interface Options {
  name: string
  plan?: PlanName
  ownerEmail?: string
}

export function addWorkspace(program: Command): void {
  const workspace = commandGroup(
    program,
    'workspace',
    'manage workspaces: people, keys and projects that belong together',
    'workspace create --name "Acme"',
  )
  workspace
    .command('create')
    .description('create a workspace and its owner')
    .requiredOption('--name <name>', 'name the workspace')
    .option('--plan <plan>', 'choose free, starter, growth or enterprise', 'enterprise')
    .option(
      '--owner-email <address>',
      'choose the owner, who may own other workspaces too (default: a new user, and who opens the dashboard of npm start)',
    )
    .addHelpText('after', example('workspace create --name "Acme"'))
    .action(
      perform<Options>(async (context, options) => {
        const [{ createWorkspace }, { createLocalWorkspace }] = await Promise.all([
          import('../../resolvers/workspaces.ts'),
          import('../../resolvers/members/local-owner.ts'),
        ])
        const create = options.ownerEmail === undefined ? createLocalWorkspace : createWorkspace
        const created = await withCatalog(context, (catalog) => create(catalog, options))
        return { json: created, text: `Workspace ${created.id}` }
      }),
    )
  workspace
    .command('list')
    .description('list workspaces by name, with their plans and projects')
    .addHelpText('after', example('workspace list'))
    .action(perform(listWorkspaces))
  workspace
    .command('show')
    .argument('<workspace>', 'the workspace, by its id or its name')
    .description('show the plan, the members and the projects of a workspace')
    .addHelpText('after', example('workspace show Acme'))
    .action(perform(showWorkspace))
  workspace
    .command('rename')
    .argument('<workspace>', 'the workspace, by its id or its name')
    .argument('<name>', 'the new name')
    .description('rename a workspace')
    .addHelpText('after', example('workspace rename Acme "Acme Group"'))
    .action(
      perform<object, [string, string]>((context, _options, id, name) =>
        change(context, id, 'Renamed workspace', { name }),
      ),
    )
  workspace
    .command('set-plan')
    .argument('<workspace>', 'the workspace, by its id or its name')
    .argument('<plan>', 'free, starter, growth or enterprise')
    .description('change the plan of a workspace; its data stays')
    .addHelpText(
      'after',
      example(
        'workspace set-plan Acme growth',
        'On free, requests with API keys are refused until the next upgrade. Sign-ins and ingest keys go on.',
      ),
    )
    .action(
      perform<object, [string, string]>((context, _options, id, plan) =>
        change(context, id, 'Changed the plan of workspace', { plan: plan as PlanName }),
      ),
    )
}

async function listWorkspaces(context: Context): Promise<CommandResult> {
  const workspaces = await withCatalog(context, (db) =>
    db.workspace.findMany({
      select: { id: true, name: true, plan: true, _count: { select: { projects: true } } },
      orderBy: byName,
    }),
  )
  const all = workspaces.map(({ _count, ...each }) => ({ ...each, projects: _count.projects }))
  const rows = all.map(({ id, plan, projects, name }) => [id, plan, `${projects}`, name])
  const head = ['id', 'plan', 'projects', 'name']
  const text = all.length === 0 ? 'No workspaces.' : columns([head, ...rows], '')
  return { json: { workspaces: all }, text }
}

async function showWorkspace(
  context: Context,
  _options: object,
  given: string,
): Promise<CommandResult> {
  const shown = await withCatalog(context, async (db) => {
    const id = await workspaceIdOf(db, given)
    await requireWorkspace(db, id)
    return db.workspace.findUniqueOrThrow({
      where: { id },
      select: {
        id: true,
        name: true,
        plan: true,
        createdAt: true,
        memberships: {
          select: { role: true, user: { select: { id: true, email: true } } },
          orderBy: { user: { email: 'asc' } },
        },
        projects: { select: { id: true, name: true, domain: true }, orderBy: byName },
      },
    })
  })
  const { memberships, projects, ...facts } = shown
  const members = memberships.map(({ role, user }) => ({
    userId: user.id,
    email: user.email,
    role,
  }))
  const parts = [
    columns(
      [
        ['Workspace', facts.id],
        ['Name', facts.name],
        ['Plan', facts.plan],
      ],
      '',
    ),
    `Members\n${columns(
      members.map(({ userId, role, email }) => ['', userId, role, email]),
      '',
    )}`,
    `Projects\n${columns(
      projects.map(({ id, name, domain }) => ['', id, name, domain]),
      '  none',
    )}`,
  ]
  return { json: { ...facts, members, projects }, text: parts.join('\n\n') }
}

async function change(
  context: Context,
  given: string,
  done: string,
  input: { name?: string; plan?: PlanName },
): Promise<CommandResult> {
  const [{ updateWorkspace }, { commandLine }] = await Promise.all([
    import('../../resolvers/workspaces.ts'),
    import('../../resolvers/shared/audit-trail.ts'),
  ])
  const { subjectId, changed } = await withCatalog(context, async (db) =>
    updateWorkspace(db, commandLine, await workspaceIdOf(db, given), input),
  )
  const json = { id: subjectId, changed }
  return { json, text: describeChange(done, json) }
}

/** @throws {Fault} `not_found` */
export async function requireWorkspace(db: Catalog, id: string): Promise<void> {
  if (!isUuid(id) || (await db.workspace.count({ where: { id } })) === 0) throw notFound()
}
