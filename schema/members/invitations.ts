import { notFound } from '../../core/errors.ts'
import type { Db } from '../../prisma/client.ts'
import { invitationLink } from '../../resolvers/members/invitation-links.ts'
import {
  acceptInvitation,
  declineInvitation,
  type Invitation,
  inviteMember,
  loadInvitations,
  type MembershipChange,
  type ReceivedInvitation,
  receivedInvitations,
  revokeInvitation,
} from '../../resolvers/members/invitations.ts'
import { leaveWorkspace } from '../../resolvers/members/members.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import { keyedArgs, wholeSize } from '../kit/args.ts'
import { adminAny, ownerOfWorkspace, readAny } from '../kit/authorize.ts'
import { freshLoader } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { actorOf, oncePerRequest, sourcesOf } from '../kit/context.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { workspaceChange, workspaceMutation } from '../workspaces/mutation.ts'
import { workspaceType } from '../workspaces/workspaces.ts'
import { roleType } from './members.ts'

const newestFirst = ({ createdAt, id }: Invitation) => [-createdAt.getTime(), id]

const invitation = builder.objectRef<Invitation>('Invitation').implement({
  description:
    'An open invitation to a workspace. Of the person it shows the address that an owner wrote.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the invitation.' }),
    email: t.exposeString('email', { description: 'The invited e-mail address.' }),
    role: t.expose('role', { type: roleType, description: 'Role of the member to be.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time of the invitation.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Time when the invitation expires, seven days after it was made.',
    }),
    mailedAt: t.expose('mailedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time when the mail server took the invitation; null where it did not yet, or where the service sends no mail.',
    }),
    mailProblem: t.exposeString('mailProblem', {
      nullable: true,
      description: 'Why the last try to mail the invitation failed; null where none failed.',
    }),
    link: t.string({
      description:
        'The address for the invited person, in any browser, once. Whoever has it first joins as this e-mail address, unless the address has an account here: then only that person can.',
      resolve: ({ id }, _args, { services }) => invitationLink(id, services),
    }),
  }),
})

const receivedInvitation = builder.objectRef<ReceivedInvitation>('ReceivedInvitation').implement({
  description: "An open invitation to the address of the key's user.",
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the invitation.' }),
    workspaceId: t.exposeID('workspaceId', { description: 'UUID of the workspace.' }),
    workspaceName: t.string({
      description: 'Name of the workspace.',
      resolve: ({ workspace }) => workspace.name,
    }),
    role: t.expose('role', { type: roleType, description: 'Role of the member to be.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time of the invitation.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Time when the invitation expires.',
    }),
  }),
})

/** Without a cache: one request may change a workspace and read it. */
const invitationsOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids) => loadInvitations(db, ids)),
)

builder.prismaObjectField(workspaceType, 'invitations', (t) =>
  t.field(
    connectionField({
      type: connectionOf(invitation, {
        description: 'Open invitations of a workspace, newest first.',
        sortKey: newestFirst,
        isWhole: true,
      }),
      size: wholeSize,
      access: ownerOfWorkspace,
      description: 'Open invitations of the workspace, newest first. For owners.',
      scope: (_workspace: { readonly id: string }, context) => sourcesOf(context),
      resolve: async ({ id }: { readonly id: string }, _args, context) => ({
        rows: await invitationsOf(context).load(id),
      }),
    }),
  ),
)

builder.queryField('invitations', (t) =>
  t.field(
    connectionField({
      type: connectionOf(receivedInvitation, {
        description: "Open invitations to the address of the key's user, newest first.",
        sortKey: newestFirst,
        isWhole: true,
      }),
      size: wholeSize,
      access: readAny,
      description: "Open invitations to the key's user, newest first. A bound key sees none.",
      idOf: () => 'invitations',
      scope: (_root: object, context) => sourcesOf(context),
      resolve: async (_root: object, _args, { principal, services: { db } }) => ({
        rows: principal.projectId === null ? await receivedInvitations(db, principal.userId) : [],
      }),
    }),
  ),
)

workspaceMutation('addMember', {
  type: workspaceChange,
  description:
    'Invites an e-mail address for seven days, by mail where the service has a mail server; `acceptInvitation` makes the person a member. `subjectId` is the invitation, or a user who is a member already.',
  args: builder.args((t) => ({
    email: t.string({ required: true, description: 'E-mail address of the user.' }),
    role: t.field({ type: roleType, description: 'Role of the new member. Default `viewer`.' }),
  })),
  change: ({ db, actor, workspaceId, mail }, { email, role }) =>
    inviteMember(db, actor, workspaceId, { email, role: role ?? undefined }, mail !== null),
})

const invitationId = builder.args((t) => ({
  invitationId: t.id({ required: true, description: 'UUID of the invitation.' }),
}))

workspaceMutation('revokeInvitation', {
  type: workspaceChange,
  description: 'Takes an open invitation back.',
  args: invitationId,
  change: ({ db, actor, workspaceId }, args) =>
    revokeInvitation(db, actor, workspaceId, String(args.invitationId)),
})

const membershipChange = builder.objectRef<MembershipChange>('MembershipChange').implement({
  description: "A change of what the key's user belongs to.",
  fields: (t) => ({
    subjectId: t.exposeID('subjectId', {
      description: 'UUID of the answered invitation, or of the user who left.',
    }),
    workspaceId: t.exposeID('workspaceId', { description: 'UUID of the workspace.' }),
  }),
})

/** A mutation of the key's own user: not of the workspace where the key was made. Only an unbound key passes. */
function ownMutation(
  name: string,
  description: string,
  argument: 'invitationId' | 'workspaceId',
  change: (db: Db, actor: Actor, id: string) => Promise<MembershipChange>,
): void {
  const what = argument === 'workspaceId' ? 'workspace' : 'invitation'
  builder.mutationField(name, (t) =>
    t.field({
      type: membershipChange,
      description: `${description} Needs an unbound key with \`admin\`.`,
      access: adminAny,
      view: 'graph',
      args: {
        [argument]: t.arg.id({ required: true, description: `UUID of the ${what}.` }),
        ...keyedArgs,
      },
      resolve: (_root, args: Readonly<Record<string, unknown>>, context) => {
        if (context.principal.projectId !== null) throw notFound()
        return change(context.services.db, actorOf(context), String(args[argument]).toLowerCase())
      },
    }),
  )
}

ownMutation(
  'acceptInvitation',
  'Makes the user of the key a member of the workspace that invited the user.',
  'invitationId',
  acceptInvitation,
)

ownMutation(
  'declineInvitation',
  'Refuses an invitation. The workspace does not learn who declined.',
  'invitationId',
  declineInvitation,
)

ownMutation(
  'leaveWorkspace',
  "Ends the membership of the key's user and revokes the user's keys. The last owner stays.",
  'workspaceId',
  leaveWorkspace,
)
