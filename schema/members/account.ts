import { type passkeysOf, removePasskey } from '../../resolvers/members/passkeys.ts'
import { accountOf } from '../../resolvers/members/passwords.ts'
import { keyedArgs } from '../kit/args.ts'
import { adminAny, readAny } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'

type PasskeyRow = Awaited<ReturnType<typeof passkeysOf>>[number]

const passkey = builder.objectRef<PasskeyRow>('Passkey').implement({
  description: 'A passkey of the person who is signed in.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the passkey, as WebAuthn has it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time when it was added.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the last sign-in with it; null for none.',
    }),
  }),
})

type AccountRow = NonNullable<Awaited<ReturnType<typeof accountOf>>>

const account = builder.objectRef<AccountRow>('Account').implement({
  description: 'How the person who is signed in signs in.',
  fields: (t) => ({
    email: t.exposeString('email', { description: 'E-mail address of the person.' }),
    hasPassword: t.exposeBoolean('hasPassword', { description: 'Whether there is a password.' }),
    passkeys: t.field({
      type: [passkey],
      description: 'Passkeys, newest first.',
      resolve: ({ passkeys }) => [...passkeys],
    }),
  }),
})

builder.queryField('account', (t) =>
  t.field({
    type: account,
    nullable: true,
    access: readAny,
    view: 'graph',
    description: 'How the person who is signed in signs in. Null for an API key.',
    resolve: (_root, _args, { principal, services: { db } }) => accountOf(db, principal),
  }),
)

const passkeyRemoval = builder
  .objectRef<{ readonly passkeyId: string }>('PasskeyRemoval')
  .implement({
    description: 'The end of a passkey.',
    fields: (t) => ({
      passkeyId: t.exposeID('passkeyId', { description: 'Id of the passkey.' }),
    }),
  })

builder.mutationField('removePasskey', (t) =>
  t.field({
    type: passkeyRemoval,
    description: 'Removes an own passkey. Needs the session of a person.',
    access: adminAny,
    view: 'graph',
    args: {
      passkeyId: t.arg.id({ required: true, description: 'Id of the passkey.' }),
      ...keyedArgs,
    },
    resolve: async (_root, args, context) => {
      const { services, principal } = context
      const passkeyId = String(args.passkeyId)
      await removePasskey(services.db, principal, passkeyId)
      return { passkeyId }
    },
  }),
)
