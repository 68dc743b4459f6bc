import { endOwnSession, ownSessions } from '../../resolvers/members/sessions.ts'
import { keyedArgs, wholeSize } from '../kit/args.ts'
import { adminAny, readAny } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { sourcesOf } from '../kit/context.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'

type SessionRow = Awaited<ReturnType<typeof ownSessions>>[number]

const session = builder.objectRef<SessionRow>('Session').implement({
  description: 'A browser that is signed in to the dashboard.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the session.' }),
    browser: t.exposeString('browser', {
      nullable: true,
      description: 'The `User-Agent` of the browser; null where it sent none.',
    }),
    keyName: t.string({
      nullable: true,
      description: 'Name of the API key that the browser signed in with; null for a person.',
      resolve: ({ apiKey: { kind, name } }) => (kind === 'browser' ? null : (name ?? 'API key')),
    }),
    isCurrent: t.boolean({
      description: 'Whether the request comes from this browser.',
      resolve: ({ id }, _args, { principal }) => principal.session?.id === id,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time of the sign-in.',
    }),
    lastUsedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of the last request, to the minute; null for none.',
      resolve: ({ apiKey: { lastUsedAt } }) => lastUsedAt,
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Time when the browser is signed out, 30 days after its last visit.',
    }),
  }),
})

builder.queryField('sessions', (t) =>
  t.field(
    connectionField({
      type: connectionOf(session, {
        description: 'Browsers that are signed in, newest first.',
        sortKey: ({ createdAt, id }) => [-createdAt.getTime(), id],
        isWhole: true,
      }),
      size: wholeSize,
      access: readAny,
      description:
        'Browsers that are signed in for the person who asks, newest first. An API key sees those that signed in with it.',
      idOf: () => 'sessions',
      scope: (_root: object, context) => sourcesOf(context),
      resolve: async (_root: object, _args, { principal, services: { db } }) => ({
        rows: await ownSessions(db, principal),
      }),
    }),
  ),
)

const sessionEnd = builder.objectRef<{ readonly sessionId: string }>('SessionEnd').implement({
  description: 'The end of a session.',
  fields: (t) => ({
    sessionId: t.exposeID('sessionId', { description: 'UUID of the session that ended.' }),
  }),
})

builder.mutationField('endSession', (t) =>
  t.field({
    type: sessionEnd,
    description:
      'Signs a browser out: one of `sessions`. Needs `admin`, which a person who signed in always has.',
    access: adminAny,
    view: 'graph',
    args: {
      sessionId: t.arg.id({ required: true, description: 'UUID of the session.' }),
      ...keyedArgs,
    },
    resolve: async (_root, args, context) => {
      const { services, principal } = context
      const id = String(args.sessionId).toLowerCase()
      return { sessionId: await endOwnSession(services.db, principal, id) }
    },
  }),
)
