import { Fault } from '../../core/errors.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import type { AccessRule } from '../kit/access-rule.ts'
import {
  adminOfWorkspace,
  listedOfProject,
  ownerOfWorkspace,
  readOfProject,
} from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import type { Context } from '../kit/context.ts'

const rules = {
  read: readOfProject,
  write: { ...readOfProject, grant: 'write' },
  draft: { ...readOfProject, grant: 'prompt:draft' },
  edit: { ...listedOfProject, grant: 'admin' },
  connect: adminOfWorkspace,
  own: ownerOfWorkspace,
} as const satisfies Record<string, AccessRule>

export type Permission = keyof typeof rules

const names = Object.keys(rules) as Permission[]

/**
 * The permission that a mutation of a rule needs.
 * @returns undefined for what concerns the person of the key alone
 */
export function permissionOf(rule: AccessRule): Permission | undefined {
  if (rule.role) return 'own'
  if (rule.workspace) return 'connect'
  if (rule.project === 'none') return undefined
  return names.find((name) => rules[name].grant === rule.grant)
}

async function isAllowed(context: Context, permission: Permission, scope: ProjectScope) {
  const rule: AccessRule = rules[permission]
  try {
    await context.authorize(context, rule, rule.workspace ? scope.project.workspaceId : scope)
    return true
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}

const permissionType = builder.enumType('Permission', {
  description: 'What the key of a request may do with a project.',
  values: {
    read: { description: 'Read reports and lists.' },
    write: {
      description:
        'Make reports, audits, runs and schedules, and decide on issues and opportunities.',
    },
    draft: { description: 'Add and change prompts.' },
    edit: { description: 'Change everything else of the project, and import data.' },
    connect: { description: 'Manage provider keys, ingest keys and projects of the workspace.' },
    own: { description: 'Manage members and API keys, read the audit trail, delete the project.' },
  } satisfies Record<Permission, object>,
})

builder.objectField('Project', 'permissions', (t) =>
  t.field({
    type: [permissionType],
    access: listedOfProject,
    view: 'graph',
    description: 'What the key of the request may do with the project, and with its workspace.',
    resolve: async (scope, _args, context) => {
      const allowed = await Promise.all(names.map((name) => isAllowed(context, name, scope)))
      return names.filter((_name, at) => allowed[at])
    },
  }),
)
