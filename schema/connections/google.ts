import type { GoogleProperty, PropertyList } from '../../imports/analytics/google-properties.ts'
import {
  type GoogleAccountRow,
  type GoogleClientRow,
  googleReturnPath,
  loadGoogleAccounts,
  loadGoogleClients,
  openGoogleAccount,
  openGoogleClient,
  removeGoogleAccount,
  removeGoogleClient,
  requireGoogleAccount,
  setGoogleClient,
} from '../../resolvers/connections/google.ts'
import { beginGoogleSignIn } from '../../resolvers/members/google-sign-in.ts'
import { wholeSize } from '../kit/args.ts'
import { adminOfWorkspace, adminWorkspace } from '../kit/authorize.ts'
import { freshLoader } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest, type Services, sourcesOf } from '../kit/context.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { type OfWorkspace, workspaceChange, workspaceMutation } from '../workspaces/mutation.ts'
import { workspaceType } from '../workspaces/workspaces.ts'

const googleAccount = builder.objectRef<GoogleAccountRow>('GoogleAccount').implement({
  description: 'A Google account that a member has signed in with. Its token is encrypted.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the account.' }),
    email: t.exposeString('email', { description: 'E-mail address of the account.' }),
    scopes: t.stringList({
      description: 'What Google lets Sightline read with the account, as OAuth scopes.',
      resolve: ({ scopes }) => scopes,
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time when Google ended the access, so that somebody must sign in again; null while it lasts.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time of the first sign-in.',
    }),
  }),
})

const googleClient = builder.objectRef<GoogleClientRow>('GoogleClient').implement({
  description: 'The OAuth client of a workspace at Google. Its secret is encrypted.',
  fields: (t) => ({
    clientId: t.exposeString('clientId', { description: 'Client id, as Google shows it.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Time when the client was last stored.',
    }),
  }),
})

/** Without a cache: one request may change a workspace and read it. */
const clientsOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids) => loadGoogleClients(db, ids)),
)
const accountsOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids) => loadGoogleAccounts(db, ids)),
)

const redirectUriOf = ({ baseUrl }: Pick<Services, 'baseUrl'>) => baseUrl + googleReturnPath

const googleSetup = builder.objectRef<{ readonly workspaceId: string }>('GoogleSetup').implement({
  description: 'How members of a workspace sign in with Google.',
  fields: (t) => ({
    redirectUri: t.string({
      description:
        'Redirect URI that the OAuth client at Google must list: Google sends people back to it.',
      resolve: (_workspace, _args, context) => redirectUriOf(context.services),
    }),
    client: t.field({
      type: googleClient,
      nullable: true,
      description: 'OAuth client of the workspace; null for none.',
      resolve: async ({ workspaceId }, _args, context) =>
        (await clientsOf(context).load(workspaceId))[0] ?? null,
    }),
  }),
})

builder.prismaObjectFields(workspaceType, (t) => ({
  google: t.field({
    type: googleSetup,
    access: adminOfWorkspace,
    description: 'How members sign in with Google. Needs `admin`.',
    resolve: ({ id }) => ({ workspaceId: id }),
  }),
  googleAccounts: t.field(
    connectionField({
      type: connectionOf(googleAccount, {
        description: 'Google accounts of a workspace, oldest first.',
        sortKey: ({ createdAt, id }) => [createdAt.getTime(), id],
        isWhole: true,
      }),
      size: wholeSize,
      access: adminOfWorkspace,
      description: 'Google accounts that members have signed in with, oldest first. Needs `admin`.',
      scope: (_workspace: { readonly id: string }, context) => sourcesOf(context),
      resolve: async ({ id }: { readonly id: string }, _args, context) => ({
        rows: await accountsOf(context).load(id),
      }),
    }),
  ),
}))

workspaceMutation('setGoogleClient', {
  access: adminWorkspace,
  type: workspaceChange,
  description:
    'Stores the OAuth client by which members sign in with Google. Another client id removes the accounts that signed in by the former one.',
  args: builder.args((t) => ({
    clientId: t.string({
      required: true,
      description: 'Client id, which ends with `.apps.googleusercontent.com`.',
    }),
    secret: t.string({
      required: true,
      description: 'Client secret. It is never shown again.',
    }),
  })),
  change: ({ db, actor, workspaceId, signingSecret }, input) =>
    setGoogleClient(db, actor, workspaceId, input, signingSecret),
})

workspaceMutation('removeGoogleClient', {
  access: adminWorkspace,
  type: workspaceChange,
  description: 'Removes the OAuth client at Google, with all accounts. Rows that they loaded stay.',
  args: {},
  change: ({ db, actor, workspaceId }) => removeGoogleClient(db, actor, workspaceId),
})

workspaceMutation('beginGoogleSignIn', {
  access: adminWorkspace,
  hasSecret: true,
  type: builder.objectRef<OfWorkspace<{ readonly url: string }>>('GoogleSignIn').implement({
    description: 'A sign-in with Google that has begun.',
    fields: (t) => ({
      url: t.exposeString('url', {
        description:
          'Page of Google to open within ten minutes, in a browser where the same person is signed in to Sightline.',
      }),
    }),
  }),
  description:
    'Begins a sign-in with Google, which allows to read Search Console and Google Analytics. At its end Google leads the person back to Sightline.',
  args: builder.args((t) => ({
    projectId: t.id({
      description: 'Id of the project whose settings open at the end. Default: the start page.',
    }),
  })),
  change: async ({ db, actor, workspaceId, signingSecrets, baseUrl, googleUrl }, { projectId }) => {
    const client = await openGoogleClient(db, workspaceId, signingSecrets)
    const { googleSignInPage, newVerifier } = await import(
      '../../imports/analytics/google-sign-in.ts'
    )
    const verifier = await newVerifier()
    const place = { workspaceId, projectId: projectId == null ? null : String(projectId) }
    const state = await beginGoogleSignIn(db, actor, { ...place, verifier })
    const attempt = { state, verifier, redirectUri: redirectUriOf({ baseUrl }) }
    return { url: await googleSignInPage(client, attempt, { baseUrl: googleUrl }) }
  },
})

const accountId = builder.args((t) => ({
  accountId: t.id({ required: true, description: 'Id of a Google account of the workspace.' }),
}))

workspaceMutation('removeGoogleAccount', {
  access: adminWorkspace,
  isOutside: true,
  type: workspaceChange,
  description:
    'Removes a Google account with its token, which Google is asked to revoke. Rows that it loaded stay.',
  args: accountId,
  change: async ({ db, actor, workspaceId, signingSecrets, googleUrl }, args) => {
    const { id } = await requireGoogleAccount(db, workspaceId, String(args.accountId))
    const opened = await openGoogleAccount(db, id, signingSecrets)
    const removed = await removeGoogleAccount(db, actor, workspaceId, id)
    if (opened) {
      const { revokeGoogle } = await import('../../imports/analytics/google-sign-in.ts')
      // The token is gone here in any case: Google may be away, or may not know it.
      await revokeGoogle(opened.client, opened.refreshToken, { baseUrl: googleUrl }).catch(
        () => undefined,
      )
    }
    return removed
  },
})

const googleProperty = builder.objectRef<GoogleProperty>('GoogleProperty').implement({
  description: 'A site of Search Console, or a property of Google Analytics 4.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'The site as Search Console writes it, or the number of the property.',
    }),
    label: t.exposeString('label', {
      nullable: true,
      description: 'Name of the property and of its account; null for a site.',
    }),
  }),
})

const propertyList = builder.objectRef<PropertyList>('GooglePropertyList').implement({
  description: 'Sites or properties that an account may read.',
  fields: (t) => ({
    properties: t.field({
      type: [googleProperty],
      description: 'Sites or properties, by name.',
      resolve: ({ properties }) => [...properties],
    }),
    problem: t.exposeString('problem', {
      nullable: true,
      description: 'Why Google lists none, in a sentence; null where it lists them.',
    }),
  }),
})

interface PropertyLists {
  readonly sites: PropertyList
  readonly analytics: PropertyList
}

workspaceMutation('listGoogleProperties', {
  access: adminWorkspace,
  isOutside: true,
  type: builder.objectRef<OfWorkspace<PropertyLists>>('GoogleProperties').implement({
    description: 'What can be read with a Google account.',
    fields: (t) => ({
      searchConsole: t.expose('sites', {
        type: propertyList,
        description: 'Sites of Search Console.',
      }),
      webAnalytics: t.expose('analytics', {
        type: propertyList,
        description: 'Properties of Google Analytics 4.',
      }),
    }),
  }),
  description: 'Asks Google which sites and properties an account may read.',
  args: accountId,
  change: async ({ db, workspaceId, signingSecrets, googleUrl }, args) => {
    const { id } = await requireGoogleAccount(db, workspaceId, String(args.accountId))
    const opened = await openGoogleAccount(db, id, signingSecrets)
    const none = { properties: [], problem: 'The token cannot be opened: sign in again.' }
    if (!opened) return { sites: none, analytics: none }
    const [{ listProperties, listSites }, { accessTokens }, { askGoogle }] = await Promise.all([
      import('../../imports/analytics/google-properties.ts'),
      import('../../imports/analytics/google-sign-in.ts'),
      import('../../imports/analytics/google.ts'),
    ])
    const reach = { baseUrl: googleUrl, signal: AbortSignal.timeout(listMs), retries: 2 }
    const ask = askGoogle(accessTokens(opened.client, opened.refreshToken, reach), reach)
    const [sites, analytics] = await Promise.all([listSites(ask), listProperties(ask)])
    return { sites, analytics }
  },
})

/** A person waits for the lists. */
const listMs = 20_000
