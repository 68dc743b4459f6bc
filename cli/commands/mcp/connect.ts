import { CliError } from '../../errors.ts'
import type { Context } from '../../run.ts'
import { withCatalog } from '../../stores.ts'
import { serviceUrl } from '../open.ts'
import type { Connection } from './relay.ts'

export interface Reach {
  /** The only project that is reached. */
  readonly project?: string
  /** Whether changes may be made too. */
  readonly write?: true
}

/** A key lasts as long as a day at work. */
const keyHours = 12

/**
 * The service and the key of `SIGHTLINE_URL` and `SIGHTLINE_KEY`, else the service of the data folder and a key for it:
 * who reads the folder owns the data already.
 */
export async function connectionOf(context: Context, reach: Reach): Promise<Connection> {
  const { SIGHTLINE_URL: url, SIGHTLINE_KEY: key } = process.env
  if (key) return { url: url ?? (await serviceUrl(context)), key }
  if (url) {
    throw new CliError(
      'key_missing',
      'Set SIGHTLINE_KEY too: a service at SIGHTLINE_URL takes a key of its own.',
    )
  }
  return { url: await serviceUrl(context), key: await localKey(context, reach) }
}

/** A key of the local owner, or that of the demo. */
async function localKey(context: Context, { project, write }: Reach): Promise<string> {
  const [{ createKey }, { findLocalOwner }, { readDemo }] = await Promise.all([
    import('../../../resolvers/keys/keys.ts'),
    import('../../../resolvers/members/local-owner.ts'),
    import('../../../demo/file.ts'),
  ])
  return withCatalog(context, async (db) => {
    const userId = await findLocalOwner(db)
    const owned = await db.workspace.findMany({
      where: {
        ...(project !== undefined && { projects: { some: { id: project } } }),
        memberships: { some: { ...(userId !== null && { userId }), role: 'owner' } },
      },
      select: { id: true },
      // The demo has the first one: a workspace of one's own comes later.
      orderBy: { createdAt: 'desc' },
      take: 1,
    })
    const [workspace] = userId === null ? [] : owned
    if (!workspace) {
      const demo = project === undefined && !write ? await readDemo(context.dataDir) : undefined
      if (demo) return demo.key
      throw new CliError(
        'nobody_to_act_for',
        'There is no workspace of a local owner. Create a key with `npx sightline key create`, and set SIGHTLINE_KEY.',
      )
    }
    const { key } = await createKey(db, {
      workspaceId: workspace.id,
      scopes: write ? ['read', 'write'] : ['read'],
      capabilities: write ? ['prompt:draft'] : [],
      name: 'stdio',
      expiresAt: new Date(Date.now() + keyHours * 60 * 60 * 1000),
      ...(project !== undefined && { projectId: project }),
    })
    return key
  })
}
