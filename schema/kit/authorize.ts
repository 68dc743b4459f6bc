import DataLoader from 'dataloader'
import { hasGrant, type Principal, type Role, roleHasGrant } from '../../core/access.ts'
import { Fault, notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/uuid.ts'
import { roleOfKey } from '../../resolvers/members/members.ts'
import { loadProjects, type ProjectRecord } from '../../resolvers/projects/projects.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import type { AccessRule } from './access-rule.ts'
import { type Context, loaders, oncePerRequest, projectScopes, sourcesOf } from './context.ts'

export const readProject: AccessRule = { grant: 'read', project: 'argument' }
export const readOfProject: AccessRule = { grant: 'read', project: 'parent' }
/** A report on an object of a project, such as a topic. */
export const readOfOwner: AccessRule = { grant: 'read', project: 'owner' }
export const listedOfProject: AccessRule = { ...readOfProject, inactive: 'shown' }
export const readAny: AccessRule = { grant: 'read', project: 'none' }
export const adminAny: AccessRule = { grant: 'admin', project: 'none' }
export const writeProject: AccessRule = { grant: 'write', project: 'argument' }
export const draftPrompts: AccessRule = { grant: 'prompt:draft', project: 'argument' }
export const adminProject: AccessRule = { grant: 'admin', project: 'argument' }
export const adminAnyProject: AccessRule = { ...adminProject, inactive: 'shown' }
export const readWorkspace: AccessRule = { grant: 'read', project: 'none', workspace: 'argument' }
export const writeWorkspace: AccessRule = { ...readWorkspace, grant: 'write' }
export const adminWorkspace: AccessRule = { ...readWorkspace, grant: 'admin' }
export const readOfWorkspace: AccessRule = { ...readWorkspace, workspace: 'parent' }
export const adminOfWorkspace: AccessRule = { ...adminWorkspace, workspace: 'parent' }
export const ownerWorkspace: AccessRule = { ...adminWorkspace, role: 'owner' }
export const ownerOfWorkspace: AccessRule = { ...adminOfWorkspace, role: 'owner' }
export const ownerAnyProject: AccessRule = { ...adminAnyProject, role: 'owner' }

/**
 * Lets only a key pass that has the grant, and whose user has it in the workspace now.
 * @param role the role of the user; undefined where the field is of no workspace
 */
function requireGrant(
  { principal }: Pick<Context, 'principal'>,
  { grant, role: needed }: Pick<AccessRule, 'grant' | 'role'>,
  role: Role | null | undefined,
): void {
  if (!hasGrant(principal, grant)) {
    const kind = grant.includes(':') ? 'capability' : 'scope'
    throw new Fault('missing_scope', `The key lacks the ${kind} \`${grant}\`.`, {
      graph: { grant },
    })
  }
  if (!role || (roleHasGrant(role, grant) && (!needed || role === needed))) return
  const who = needed ? 'owners' : 'owners and editors'
  const message = `The key's user has the role \`${role}\`. Only ${who} of the workspace may do this.`
  throw new Fault('forbidden', message)
}

function requireActive({ project }: Pick<ProjectScope, 'project'>): void {
  if (!project.isActive && project.kind === 'regular') {
    throw new Fault('forbidden', 'The project is not active.')
  }
}

/** The project, if the key reaches it; who may not know of it learns nothing. */
async function reach(context: Context, projectId: string): Promise<ProjectScope> {
  requireNamed(context.principal, projectId)
  const project = requireReached(await loaders(context).project.load(projectId), projectId)
  return { ...sourcesOf(context), project }
}

/** Whether the key may name the project at all. */
const isNamedBy = ({ projectId: bound }: Principal, projectId: string) =>
  bound === null || bound === projectId

function requireNamed(principal: Principal, projectId: string): void {
  if (!isUuid(projectId) || !isNamedBy(principal, projectId)) throw notFound(projectId)
}

function requireReached(project: ProjectRecord | null | undefined, id: string): ProjectRecord {
  if (!project) throw notFound(id)
  if (project.role === null) {
    throw new Fault('forbidden', "The key's user is not a member of the project's workspace.")
  }
  return project
}

/**
 * The checks of `authorize` for a request that has no context yet, in the same order.
 * @param projectId what the path names, for a rule on an argument
 * @returns the project; undefined for a rule that is about none
 */
export async function authorizeEarly(
  client: Pick<Context, 'principal' | 'services'>,
  rule: AccessRule,
  projectId: string | undefined,
): Promise<ProjectRecord | undefined> {
  const { principal, services } = client
  if (rule.project === 'none') {
    requireGrant(client, rule, undefined)
    return undefined
  }
  const id = String(projectId).toLowerCase()
  requireNamed(principal, id)
  const [found] = services.projects
    ? await services.projects.load(principal, [id])
    : await loadProjects(services.db, principal, [id])
  const project = requireReached(found, id)
  if (!rule.inactive) requireActive({ project })
  requireGrant(client, rule, project.role)
  return project
}

/** A project that the key reaches, active or not, loaded once a request. */
export function listedScope(context: Context, projectId: string): Promise<ProjectScope> {
  const scopes = projectScopes(context)
  const id = projectId.toLowerCase()
  const known = scopes.get(id)
  if (known) return known
  const scope = reach(context, id)
  scopes.set(id, scope)
  return scope
}

/** The projects of a list, in its order. One that was deleted since the list was read is left out. */
export async function listedScopes(
  context: Context,
  projectIds: readonly string[],
): Promise<ProjectScope[]> {
  const found = await Promise.allSettled(projectIds.map((id) => listedScope(context, id)))
  return found.flatMap((outcome) => {
    if (outcome.status === 'fulfilled') return [outcome.value]
    const { reason } = outcome
    if (reason instanceof Fault && reason.code === 'not_found') return []
    throw reason
  })
}

/** An active project that the key reaches, loaded once a request. */
export async function scopeOf(context: Context, projectId: string): Promise<ProjectScope> {
  const scope = await listedScope(context, projectId)
  requireActive(scope)
  return scope
}

/** The role of the key's user by workspace: asked once for all fields that ask at the same time. */
const workspaceRoles = oncePerRequest(
  ({ services: { db }, principal }) =>
    new DataLoader<string, Role | null>(
      async (asked) => {
        const found = new Map<string, Promise<Role | null>>()
        const roleIn = (workspaceId: string) => {
          const role = found.get(workspaceId) ?? roleOfKey(db, { ...principal, workspaceId })
          found.set(workspaceId, role)
          return role
        }
        return Promise.all(asked.map(roleIn))
      },
      { cache: false },
    ),
)

/** The role of the key's user in the workspace of the key; null for a bound key, and for a key that the workspace keeps out. */
export function homeRole(context: Context): Promise<Role | null> {
  const { workspaceId, projectId } = context.principal
  return projectId === null ? workspaceRoles(context).load(workspaceId) : Promise.resolve(null)
}

/**
 * Lets only pass who acts for a member of the workspace, whose role it returns: a key of the whole workspace, or a person who
 * has signed in.
 */
async function requireWorkspace(context: Context, asked: string): Promise<Role> {
  const { workspaceId, projectId, session } = context.principal
  const id = asked.toLowerCase()
  const isHome = workspaceId === id
  if (projectId !== null || !(isHome || (session?.isPerson && isUuid(id)))) throw notFound(asked)
  const role = await workspaceRoles(context).load(id)
  if (role) return role
  if (!isHome) throw notFound(asked)
  throw new Fault('forbidden', "The key's user is not a member of the workspace.")
}

/** The project that a rule is about, if the key reaches it. */
function projectOf(context: Context, rule: AccessRule, subject: unknown) {
  if (rule.project === 'parent') {
    const scope = subject as ProjectScope
    if (!rule.inactive) requireActive(scope)
    return scope
  }
  return (rule.inactive ? listedScope : scopeOf)(context, String(subject))
}

/** The role of the key's user where a rule is about; undefined for what belongs to no workspace. */
async function roleFor(context: Context, rule: AccessRule, subject: unknown) {
  if (rule.workspace) return requireWorkspace(context, String(subject))
  if (rule.project === 'none') return undefined
  return (await projectOf(context, rule, subject)).project.role
}

/**
 * Authorizes a request for a field, or throws. The order is the contract's: 404 project, 403 membership,
 * 403 scope, then 403 for the role of the key's user. `subject` is an id for a rule on an argument, an owner or a workspace, the parent for a rule on a parent project.
 */
export async function authorize(
  context: Context,
  rule: AccessRule,
  subject: unknown,
): Promise<void> {
  const role = await roleFor(context, rule, subject)
  requireGrant(context, rule, role)
}
