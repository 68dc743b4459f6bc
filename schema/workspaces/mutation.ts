import type { InputFieldMap, InputShapeFromFields, OutputRef } from '@pothos/core'
import type { ErrorCode } from '../../core/errors.ts'
import type { Retention } from '../../core/retention.ts'
import type { PrivateHost } from '../../core/sites/private-hosts.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import type { WorkspaceChangeResult } from '../../resolvers/shared/change.ts'
import type { AccessRule } from '../kit/access-rule.ts'
import { keyedArgs } from '../kit/args.ts'
import { ownerWorkspace } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf, type Services } from '../kit/context.ts'
import { workspaceOf, workspaceType } from './workspaces.ts'

export type OfWorkspace<Result> = Result & { readonly workspaceId: string }

export const workspaceChange = builder
  .objectRef<OfWorkspace<WorkspaceChangeResult>>('WorkspaceChange')
  .implement({
    description: 'Result of a change to a workspace.',
    fields: (t) => ({
      subjectId: t.exposeID('subjectId', {
        description: 'Id of the user or the key that was added, changed or removed.',
      }),
      changed: t.exposeBoolean('changed', {
        description: 'False when the workspace had this state already, so nothing was written.',
      }),
      workspace: t.field({
        type: workspaceType,
        description: 'The workspace after the change.',
        resolve: ({ workspaceId }, _args, context) => workspaceOf(context, workspaceId),
      }),
    }),
  })

interface WorkspaceMutation<Args extends InputFieldMap, Shown> {
  readonly type: OutputRef<Shown>
  readonly description: string
  readonly args: Args
  /** Who may, where it is not for owners alone. */
  readonly access?: AccessRule
  /** Its answer shows a secret: it is stored sealed for a repetition. */
  readonly hasSecret?: true
  /** It reaches beyond the catalog, such as a call to a provider. */
  readonly isOutside?: true
  /** Codes that the change itself can refuse with, beside `not_found` and `invalid_argument`. */
  readonly problems?: readonly ErrorCode[]
  readonly change: (
    who: {
      readonly db: Db
      readonly actor: Actor
      readonly workspaceId: string
      readonly signingSecret: string
      /** The first seals; all of them open. */
      readonly signingSecrets: readonly [string, ...string[]]
      readonly privateHosts: readonly PrivateHost[]
      /** The mail server and the sender; null where the service sends no mail. */
      readonly mail: Services['mail']
      readonly baseUrl: string
      readonly googleUrl: string | undefined
      readonly bingUrl: string | undefined
      /** How long the service keeps data at most. */
      readonly retention: Retention
    },
    args: InputShapeFromFields<Args>,
  ) => Promise<Omit<Shown, 'workspaceId'>>
}

/** A mutation that changes a workspace as a whole, for unbound keys of its owners with `admin`. */
export function workspaceMutation<Args extends InputFieldMap, Shown extends object>(
  name: string,
  {
    type,
    description,
    args,
    access = ownerWorkspace,
    hasSecret,
    isOutside,
    problems = [],
    change,
  }: WorkspaceMutation<Args, Shown>,
): void {
  // Pothos computes the shape of a type only where it knows the type: here it is a parameter.
  const changed: OutputRef = type
  builder.mutationField(name, (t) =>
    t.field({
      type: changed,
      description,
      access,
      problems,
      view: 'graph',
      args: {
        workspaceId: t.arg.id({ required: true, description: 'Id of the workspace.' }),
        ...(args as InputFieldMap),
        ...keyedArgs,
      },
      ...(hasSecret && { hasSecret }),
      ...(isOutside && { isOutside }),
      resolve: async (_root, given, context) => {
        const workspaceId = String(given.workspaceId).toLowerCase()
        const input: object = given
        const { db, signingSecrets, privateHosts, mail, baseUrl, googleUrl, bingUrl, retention } =
          context.services
        const [signingSecret] = signingSecrets
        const secrets = { signingSecret, signingSecrets }
        const who = {
          db,
          actor: actorOf(context),
          workspaceId,
          ...secrets,
          privateHosts,
          mail,
          baseUrl,
          googleUrl,
          bingUrl,
          retention,
        }
        return { workspaceId, ...(await change(who, input as InputShapeFromFields<Args>)) }
      },
    }),
  )
}
