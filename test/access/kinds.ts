import type { Capability, KeyScope, Role } from '../../core/access.ts'
import { sized } from '../kit/soak.ts'

/** What each kind of key gets from a thing that needs `read`, `write`, the capability, or `admin`. */
const byName = {
  'no key': { isNobody: true },
  'unknown key': { isNobody: true },
  revoked: { scopes: ['admin'] },
  expired: { scopes: ['admin'] },
  write: { scopes: ['write'] },
  read: { scopes: ['read'] },
  'prompt:draft': { capabilities: ['prompt:draft'] },
  'admin of a viewer': { scopes: ['admin'], role: 'viewer' },
  'admin of an editor': { scopes: ['admin'], role: 'editor' },
  admin: { scopes: ['admin'] },
  'read, bound here': { scopes: ['read'], bound: 'here' },
  'admin, bound elsewhere': { scopes: ['admin'], bound: 'elsewhere' },
  'admin of strangers': { scopes: ['admin'], stranger: true },
  malformed: { isNobody: true },
  // Was invited to the workspace, and has not accepted.
  'admin who is invited': { scopes: ['admin'], stranger: true, isInvited: true },
} satisfies Record<string, Kind>

export interface Kind {
  scopes?: KeyScope[]
  capabilities?: Capability[]
  bound?: 'here' | 'elsewhere'
  stranger?: boolean
  isInvited?: boolean
  /** The role of its person; owner where absent. */
  role?: Exclude<Role, 'owner'>
  /** Its key was never made. */
  isNobody?: boolean
}

export const kinds = Object.entries(byName) as [string, Kind][]

/** What a workspace or project is like, whose admin asks. The normal run asks about the last two. */
export const states = ['paused', 'archived', 'free plan', 'inactive', 'inactive pitch'] as const
export type State = (typeof states)[number]
export const statesOfRun = sized<readonly State[]>({ normal: states.slice(-2), soak: states })

/** A grant of the key; `own` is `admin` for owners alone. */
export type Need = 'read' | 'write' | 'prompt:draft' | 'admin' | 'own'
export type Outcome = 'ok' | 'unauthorized' | 'not_found' | 'forbidden' | 'missing_scope'

export function expected(name: string, kind: Kind, need: Need, aboutProject: boolean): Outcome {
  if (kind.isNobody || name === 'revoked' || name === 'expired') return 'unauthorized'
  if (aboutProject && kind.bound === 'elsewhere') return 'not_found'
  if (aboutProject && kind.stranger) return 'forbidden'
  const carries = [...(kind.scopes ?? []), ...(kind.capabilities ?? [])] as string[]
  if (!carries.includes('admin') && !carries.includes(need)) return 'missing_scope'
  return aboutProject && !mayBy(kind, need) ? 'forbidden' : 'ok'
}

/** What the role of the person allows: a viewer reads, and an editor does all that is not for owners. */
function mayBy({ role }: Kind, need: Need): boolean {
  return role === undefined || need === 'read' || (role === 'editor' && need !== 'own')
}

/** What belongs to a workspace as a whole is hidden from a bound key, and from other workspaces'. */
export function expectedOfWorkspace(name: string, kind: Kind, need: Need): Outcome {
  const outcome = expected(name, kind, need, false)
  if (outcome === 'unauthorized') return outcome
  if (kind.bound || kind.stranger) return 'not_found'
  return outcome === 'ok' && !mayBy(kind, need) ? 'forbidden' : outcome
}

/** The contract's sentence: `read` for every GET and for 90, 91; `write` for 80–83, 88, 89; else the capability. */
export function needOf(operation: { number: number; method: string }): Need {
  if (operation.method === 'GET' || operation.number >= 90) return 'read'
  const writes = [80, 81, 82, 83, 88, 89]
  return writes.includes(operation.number) ? 'write' : 'prompt:draft'
}
