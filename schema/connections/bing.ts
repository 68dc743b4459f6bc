import { invalid } from '../../core/errors.ts'
import {
  type BingKeyRow,
  loadBingKeys,
  readBingKey,
  removeBingKey,
  requireBingKey,
  setBingKey,
} from '../../resolvers/connections/bing.ts'
import { adminOfWorkspace, adminWorkspace } from '../kit/authorize.ts'
import { freshLoader } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest } from '../kit/context.ts'
import { type OfWorkspace, workspaceChange, workspaceMutation } from '../workspaces/mutation.ts'
import { workspaceType } from '../workspaces/workspaces.ts'

const bingKey = builder.objectRef<BingKeyRow>('BingKey').implement({
  description: 'The key of a workspace to Bing Webmaster Tools. It is encrypted.',
  fields: (t) => ({
    lastFour: t.exposeString('lastFour', { description: 'Last four characters of the key.' }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time when Bing refused the key, so that another is needed; null while it works.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Time when the key was stored.',
    }),
  }),
})

/** Without a cache: one request may change a workspace and read it. */
const keysOf = oncePerRequest(({ services: { db } }) => freshLoader((ids) => loadBingKeys(db, ids)))

builder.prismaObjectFields(workspaceType, (t) => ({
  bingKey: t.field({
    type: bingKey,
    nullable: true,
    access: adminOfWorkspace,
    description: 'Key to Bing Webmaster Tools; null for none. Needs `admin`.',
    resolve: async ({ id }, _args, context) => (await keysOf(context).load(id))[0] ?? null,
  }),
}))

/** A person waits for the list. */
const listMs = 20_000

/** What Bing lists, or why it lists nothing. */
async function sitesOf(key: string, baseUrl: string | undefined): Promise<SiteList> {
  const [{ askBing, listBingSites }, { Refusal }] = await Promise.all([
    import('../../imports/analytics/bing.ts'),
    import('../../imports/analytics/refusal.ts'),
  ])
  const reach = { baseUrl, signal: AbortSignal.timeout(listMs), retries: 1 }
  try {
    return { sites: await listBingSites(askBing(key, reach)), problem: null }
  } catch (error) {
    if (error instanceof Refusal) return { sites: [], problem: error.message }
    if (reach.signal.aborted) return { sites: [], problem: 'Bing did not answer in time.' }
    throw error
  }
}

interface SiteList {
  readonly sites: readonly string[]
  readonly problem: string | null
}

workspaceMutation('setBingKey', {
  access: adminWorkspace,
  isOutside: true,
  type: workspaceChange,
  description:
    'Stores the API key to Bing Webmaster Tools, once Bing has listed the sites of its account. It replaces the former key.',
  args: builder.args((t) => ({
    key: t.string({
      required: true,
      description: 'API key, as Bing Webmaster Tools shows it. It is never shown again.',
    }),
  })),
  change: async ({ db, actor, workspaceId, signingSecret, bingUrl }, args) => {
    const key = readBingKey(args.key)
    const { problem } = await sitesOf(key, bingUrl)
    if (problem !== null) throw invalid('key', `is not stored: ${problem}`)
    return setBingKey(db, actor, workspaceId, key, signingSecret)
  },
})

workspaceMutation('removeBingKey', {
  access: adminWorkspace,
  type: workspaceChange,
  description: 'Removes the key to Bing Webmaster Tools. Rows that it loaded stay.',
  args: {},
  change: ({ db, actor, workspaceId }) => removeBingKey(db, actor, workspaceId),
})

workspaceMutation('listBingSites', {
  access: adminWorkspace,
  isOutside: true,
  type: builder.objectRef<OfWorkspace<SiteList>>('BingSites').implement({
    description: 'Sites that can be read with the key to Bing Webmaster Tools.',
    fields: (t) => ({
      sites: t.stringList({
        description: 'Verified sites as Bing writes them, by name.',
        resolve: ({ sites }) => [...sites],
      }),
      problem: t.exposeString('problem', {
        nullable: true,
        description: 'Why Bing lists none, in a sentence; null where it lists them.',
      }),
    }),
  }),
  description: 'Asks Bing which sites the key of the workspace may read.',
  args: {},
  change: async ({ db, workspaceId, signingSecrets, bingUrl }) =>
    sitesOf(await requireBingKey(db, workspaceId, signingSecrets), bingUrl),
})
