import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { capabilities, keyScopes, makeApiKey } from '../../core/access.ts'
import { Fault } from '../../core/errors.ts'
import { type PlanName, plans } from '../../core/plans.ts'
import { makeSiteToken } from '../../core/tokens.ts'
import type { Db } from '../../prisma/client.ts'
import { type Actor, commandLine, recordEdits } from '../shared/audit-trail.ts'
import { isUuid } from '../shared/ids.ts'
import { alias, check, distinct, domain, email, label } from '../shared/inputs.ts'
import { refuseWithoutKeys } from '../shared/plan.ts'
import { inTransaction } from '../shared/transaction.ts'

const workspaceSchema = z.object({
  name: label,
  plan: z.enum(Object.keys(plans) as [PlanName, ...PlanName[]]).default('enterprise'),
  ownerEmail: email.optional(),
})

const projectSchema = z
  .object({
    workspaceId: z.string(),
    name: label,
    domain,
    description: label.optional(),
    industry: label.optional(),
    aliases: z.array(alias).default([]),
    competitors: z
      .array(z.object({ name: label, domain, aliases: z.array(alias).default([]) }))
      .default([]),
    kind: z.enum(['regular', 'pitch']).default('regular'),
  })
  .superRefine(({ domain, competitors }, context) => {
    const names = new Set<string>()
    for (const [index, { name, domain: theirs }] of competitors.entries()) {
      const path = ['competitors', index]
      if (names.has(name))
        context.addIssue({ code: 'custom', path, message: `"${name}" is named twice` })
      if (theirs === domain) {
        context.addIssue({ code: 'custom', path, message: `${theirs} is the project's own domain` })
      }
      names.add(name)
    }
  })

const keySchema = z
  .object({
    workspaceId: z.string(),
    projectId: z.string().optional(),
    name: label.optional(),
    scopes: z.array(z.enum(keyScopes)).default([]),
    capabilities: z.array(z.enum(capabilities)).default([]),
    expiresAt: z.date().optional(),
    userEmail: email.optional(),
  })
  .superRefine((key, context) => {
    if (key.scopes.length + key.capabilities.length === 0) {
      const message = `needs at least one of ${keyScopes.join(', ')}, or a capability`
      context.addIssue({ code: 'custom', path: ['scopes'], message })
    }
    if (key.expiresAt && key.expiresAt.getTime() <= Date.now()) {
      context.addIssue({ code: 'custom', path: ['expiresAt'], message: 'lies in the past' })
    }
  })

export type WorkspaceInput = z.input<typeof workspaceSchema>
export type ProjectInput = z.input<typeof projectSchema>
export type KeyInput = z.input<typeof keySchema>

/**
 * A new workspace with an owner: the user with that e-mail, made when unknown, or without one a user
 * of the workspace's own.
 * @throws {Fault} `invalid_argument`
 */
export async function createWorkspace(
  db: Db,
  input: WorkspaceInput,
  actor: Actor = commandLine,
): Promise<{ id: string }> {
  const { name, plan, ownerEmail } = check(workspaceSchema, input)
  const id = randomUUID()
  const address = ownerEmail ?? `owner+${id.slice(0, 8)}@sightline.local`
  await inTransaction(db, async (tx) => {
    const owner = await tx.user.upsert({
      where: { email: address },
      create: { email: address, name: ownerEmail ?? `Owner of ${name}` },
      update: {},
    })
    await tx.workspace.create({
      data: { id, name, plan, memberships: { create: { userId: owner.id, role: 'owner' } } },
    })
    const after = { name, plan, ownerEmail: address }
    const place = { workspaceId: id }
    await recordEdits(tx, actor, place, [
      { action: 'workspace.create', subject: ['workspace', id], after },
    ])
  })
  return { id }
}

/**
 * A new project, and the token that its site's servers send with their events.
 * @throws {Fault} `invalid_argument`; `not_found` for the workspace
 */
export async function createProject(
  db: Db,
  input: ProjectInput,
  signingSecret: string,
  actor: Actor = commandLine,
): Promise<{ id: string; siteToken: string }> {
  const { workspaceId, aliases, competitors, ...rest } = check(projectSchema, input)
  const workspace = await requireWorkspace(db, workspaceId)
  const { name, domain, kind } = rest
  const data = {
    workspaceId: workspace.id,
    name,
    domain,
    kind,
    description: rest.description ?? null,
    industry: rest.industry ?? null,
    aliases: { create: distinct(aliases) },
    competitors: {
      create: competitors.map((competitor) => ({
        ...competitor,
        aliases: { create: distinct(competitor.aliases) },
      })),
    },
  }
  const id = await inTransaction(db, async (tx) => {
    const made = await tx.project.create({ data, select: { id: true } })
    const place = { workspaceId: workspace.id, projectId: made.id }
    const after = { name, domain, kind }
    await recordEdits(tx, actor, place, [
      { action: 'project.create', subject: ['project', made.id], after },
    ])
    return made.id
  })
  const site = { projectId: id, workspaceId: workspace.id }
  return { id, siteToken: makeSiteToken(signingSecret, site) }
}

/**
 * A new API key of the workspace's owner, or of the member with that e-mail. `key` is shown this once:
 * the catalog keeps its hash.
 * @throws {Fault} `invalid_argument`; `not_found` for workspace, project or member;
 *   `plan_upgrade_required` on a plan without API keys
 */
export async function createKey(
  db: Db,
  input: KeyInput,
  actor: Actor = commandLine,
): Promise<{ id: string; key: string }> {
  const wanted = check(keySchema, input)
  const { workspaceId } = wanted
  const workspace = await requireWorkspace(db, workspaceId)
  refuseWithoutKeys(workspace.plan)
  if (wanted.projectId !== undefined) await requireProject(db, wanted.projectId, workspaceId)
  const userId = await requireMember(db, workspaceId, wanted.userEmail)
  const { key, hash, lastFour } = makeApiKey()
  const facts = {
    lastFour,
    projectId: wanted.projectId ?? null,
    name: wanted.name ?? null,
    scopes: [...new Set(wanted.scopes)],
    capabilities: [...new Set(wanted.capabilities)],
  }
  const expiresAt = wanted.expiresAt ?? null
  const id = await inTransaction(db, async (tx) => {
    const data = { ...facts, workspaceId, userId, hash, expiresAt }
    const made = await tx.apiKey.create({ data, select: { id: true } })
    const after = { ...facts, userId, expiresAt: expiresAt?.toISOString() ?? null }
    await recordEdits(tx, actor, { workspaceId }, [
      { action: 'key.create', subject: ['key', made.id], after },
    ])
    return made.id
  })
  return { id, key }
}

/**
 * Ends a key at once. Ending it twice changes nothing.
 * @returns when it was revoked first
 * @throws {Fault} `not_found`
 */
export async function revokeKey(
  db: Db,
  id: string,
  actor: Actor = commandLine,
): Promise<{ id: string; revokedAt: Date }> {
  if (!isUuid(id)) throw missing('API key', id)
  return inTransaction(db, async (tx) => {
    const [revoked] = await tx.apiKey.updateManyAndReturn({
      where: { id, revokedAt: null },
      data: { revokedAt: new Date() },
    })
    if (revoked) {
      const { workspaceId, lastFour, name } = revoked
      await recordEdits(tx, actor, { workspaceId }, [
        { action: 'key.revoke', subject: ['key', id], before: { lastFour, name } },
      ])
    }
    const key = revoked ?? (await tx.apiKey.findUnique({ where: { id } }))
    if (!key?.revokedAt) throw missing('API key', id)
    return { id: key.id, revokedAt: key.revokedAt }
  })
}

async function requireWorkspace(db: Db, id: string): Promise<{ id: string; plan: PlanName }> {
  const select = { id: true, plan: true } as const
  const found = isUuid(id) ? await db.workspace.findUnique({ where: { id }, select }) : null
  if (!found) throw missing('workspace', id)
  return found
}

async function requireProject(db: Db, id: string, workspaceId: string): Promise<void> {
  const where = { id, workspaceId }
  if (!isUuid(id) || (await db.project.count({ where })) === 0) {
    throw missing('project of this workspace', id)
  }
}

async function requireMember(db: Db, workspaceId: string, email?: string): Promise<string> {
  const member = await db.membership.findFirst({
    where: { workspaceId, ...(email === undefined ? { role: 'owner' } : { user: { email } }) },
    orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
    select: { userId: true },
  })
  if (!member) throw missing('member of this workspace', email ?? 'owner')
  return member.userId
}

function missing(what: string, id: string): Fault {
  return new Fault('not_found', `There is no ${what} "${id}".`)
}
