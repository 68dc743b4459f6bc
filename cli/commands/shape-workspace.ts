import type { Command } from 'commander'
import { invalid, notFound } from '../../core/errors.ts'
import type { Catalog } from '../../prisma/client.ts'
import type { Role } from '../../resolvers/members.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import type { WorkspaceOutcome } from '../../resolvers/shared/change.ts'
import { type Context, type Outcome, perform } from '../run.ts'
import { withCatalog } from '../stores.ts'
import { asColumns, example, sayChange } from './change.ts'
import { requireWorkspace } from './shape-reads.ts'

interface OfWorkspace {
  workspace: string
}

/** Adds a command whose workspace is an option. */
export function ofWorkspace(parent: Command, verb: string): Command {
  return parent.command(verb).requiredOption('--workspace <id>', 'the workspace')
}

/** Members of a workspace. */
export function addMember(program: Command): void {
  const member = program.command('member').description('Who belongs to a workspace')
  ofWorkspace(member, 'list')
    .description('Lists the members of a workspace, the first first.')
    .addHelpText('after', example('member list --workspace 5f0c…'))
    .action(perform(listMembers))
  ofWorkspace(member, 'add')
    .argument('<address>', 'e-mail address; a user who is unknown is made')
    .option('--role <role>', 'owner, admin or member', 'member')
    .description('Makes a user a member.')
    .addHelpText('after', example('member add --workspace 5f0c… ann@example.com --role admin'))
    .action(
      changeMembers<{ role: Role }, [string]>('Added member', async (who, { role }, email) => {
        const { addMember } = await import('../../resolvers/members.ts')
        return addMember(who.db, who.actor, who.workspaceId, { email, role })
      }),
    )
  ofWorkspace(member, 'role')
    .argument('<user-id>', 'the member')
    .argument('<role>', 'owner, admin or member')
    .description('Gives a member another role. The last owner stays one.')
    .addHelpText('after', example('member role --workspace 5f0c… 30be… admin'))
    .action(
      changeMembers<object, [string, Role]>('New role: member', async (who, _options, id, role) => {
        const { changeMemberRole } = await import('../../resolvers/members.ts')
        return changeMemberRole(who.db, who.actor, who.workspaceId, id, { role })
      }),
    )
  ofWorkspace(member, 'remove')
    .argument('<user-id>', 'the member')
    .description('Ends a membership, and the keys that act for this user. The last owner stays.')
    .addHelpText('after', example('member remove --workspace 5f0c… 30be…'))
    .action(
      changeMembers<object, [string]>('Removed member', async (who, _options, id) => {
        const { removeMember } = await import('../../resolvers/members.ts')
        return removeMember(who.db, who.actor, who.workspaceId, id)
      }),
    )
}

interface Who {
  readonly db: Catalog
  readonly actor: Actor
  readonly workspaceId: string
}

function changeMembers<Options extends object, Args extends unknown[] = []>(
  done: string,
  work: (who: Who, options: Options, ...args: Args) => Promise<WorkspaceOutcome>,
) {
  return perform<Options & OfWorkspace, Args>(async (context, options, ...args) => {
    const { commandLine } = await import('../../resolvers/shared/audit-trail.ts')
    const { subjectId, changed } = await withCatalog(context, (db) =>
      work({ db, actor: commandLine, workspaceId: options.workspace }, options, ...args),
    )
    const json = { id: subjectId, changed }
    return { json, text: sayChange(done, json) }
  })
}

async function listMembers(context: Context, { workspace }: OfWorkspace): Promise<Outcome> {
  const { loadMembers } = await import('../../resolvers/members.ts')
  const rows = await withCatalog(context, async (db) => {
    await requireWorkspace(db, workspace)
    return loadMembers(db, workspace)
  })
  const members = rows.map(({ userId, role, createdAt, user }) => {
    return { userId, email: user.email, name: user.name, role, createdAt }
  })
  const lines = members.map(({ userId, role, email }) => [userId, role, email])
  return { json: { members }, text: asColumns(lines, 'No members.') }
}

/** What is done to keys but making and ending them. */
export function addKeyShaping(key: Command): void {
  ofWorkspace(key, 'list')
    .description('Lists the API keys of a workspace, newest first, those that have ended too.')
    .addHelpText('after', example('key list --workspace 5f0c…'))
    .action(perform(listKeys))
  ofWorkspace(key, 'rotate')
    .argument('<id>', 'the id of the key, not the key itself')
    .option('--grace <time>', 'how long the old key still works: 24h, 7d, or seconds', '0')
    .description(
      'Makes a new key with the grants, the user, the project and the lifetime of an old one, which ends: at ' +
        'once, or after --grace.',
    )
    .addHelpText('after', example('key rotate 0d1f… --workspace 5f0c… --grace 24h'))
    .action(perform(rotate))
}

async function listKeys(context: Context, { workspace }: OfWorkspace): Promise<Outcome> {
  const { loadKeys } = await import('../../resolvers/keys/keys.ts')
  const keys = await withCatalog(context, async (db) => {
    await requireWorkspace(db, workspace)
    return loadKeys(db, workspace)
  })
  const now = new Date()
  const rows = keys.map(({ id, lastFour, scopes, name, revokedAt, expiresAt }) => {
    const ended = revokedAt ?? (expiresAt && expiresAt <= now ? expiresAt : null)
    const until = expiresAt ? `until ${expiresAt.toISOString()}` : 'works'
    const state = ended ? `ended ${ended.toISOString()}` : until
    return [id, `…${lastFour}`, scopes.join(','), state, name ?? '']
  })
  return { json: { keys }, text: asColumns(rows, 'No keys.') }
}

type Rotating = OfWorkspace & { grace: string }

async function rotate(
  context: Context,
  { workspace, grace }: Rotating,
  id: string,
): Promise<Outcome> {
  const graceSeconds = readSeconds(grace)
  const [{ rotateKey }, { commandLine }] = await Promise.all([
    import('../../resolvers/keys/keys.ts'),
    import('../../resolvers/shared/audit-trail.ts'),
  ])
  const made = await withCatalog(context, (db) =>
    rotateKey(db, commandLine, workspace, id, { graceSeconds }),
  )
  const { subjectId, key, oldKeyEndsAt } = made
  const ends = graceSeconds === 0 ? 'has ended' : `works until ${oldKeyEndsAt.toISOString()}`
  const text = `Key ${subjectId}\n\n  ${key}\n\nIt is shown this once: keep it now. The old one ${ends}.`
  return { json: { id: subjectId, key, oldKeyEndsAt }, text }
}

const unitSeconds: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }

function readSeconds(text: string): number {
  const { amount, unit } = /^(?<amount>\d{1,9})(?<unit>[smhd]?)$/.exec(text)?.groups ?? {}
  const seconds = unitSeconds[unit ?? ''] ?? 1
  if (amount !== undefined) return Number(amount) * seconds
  throw invalid('grace', `"${text}" is neither a number of seconds nor a time, such as 24h or 7d`)
}

interface Asked {
  project?: string
  workspace?: string
  limit: string
}

/** The audit trail. */
export function addAudit(program: Command): void {
  program
    .command('audit')
    .description(
      'Lists the changes to a project, which may be deleted, or to a workspace and all its projects: newest ' +
        'first, with who made them.',
    )
    .option('--project <id>', 'the project')
    .option('--workspace <id>', 'the workspace, instead of a project')
    .option('--limit <number>', 'how many, 500 at most', '50')
    .addHelpText('after', example('audit --project 8c1e… --limit 20'))
    .action(perform(audit))
}

async function audit(context: Context, { project, workspace, limit }: Asked): Promise<Outcome> {
  const take = Number(limit)
  if (!/^\d+$/.test(limit) || take < 1 || take > 500) {
    throw invalid('limit', 'must be a number from 1 to 500')
  }
  const [{ readAuditTrail }, { isUuid }] = await Promise.all([
    import('../../resolvers/shared/audit-trail.ts'),
    import('../../resolvers/shared/ids.ts'),
  ])
  if ((project === undefined) === (workspace === undefined)) {
    throw invalid('project', 'give --project or --workspace')
  }
  const { entries, pagination } = await withCatalog(context, async (db) => {
    if (workspace !== undefined) await requireWorkspace(db, workspace)
    if (project !== undefined && !isUuid(project)) throw notFound()
    const where = project === undefined ? { workspaceId: workspace ?? '' } : { projectId: project }
    const found = await readAuditTrail(db, where, { limit: take, offset: 0 })
    const isEmpty = found.entries.length === 0 && project !== undefined
    if (isEmpty && (await db.project.count({ where: { id: project } })) === 0) throw notFound()
    return found
  })
  const shown = entries.map((entry) => ({ ...entry, id: String(entry.id) }))
  const rows = shown.map(({ at, action, subjectId, keyId, before, after }) => {
    const who = keyId === null ? 'command line' : `key ${keyId}`
    const facts = [before, after].map((state) => (state === null ? '' : JSON.stringify(state)))
    return [at.toISOString(), action, subjectId, who, facts.join(' → ')]
  })
  return { json: { entries: shown, pagination }, text: asColumns(rows, 'No changes.') }
}
