import { invalid } from '../core/errors.ts'
import { isUuid } from '../core/uuid.ts'
import type { Catalog } from '../prisma/client.ts'
import type { Context } from './context.ts'
import { CliError } from './errors.ts'

interface Found {
  readonly id: string
}

const inAnyCase = (text: string) => ({ equals: text, mode: 'insensitive' as const })
const select = { id: true } as const
const named = { name: true } as const
const orderBy = { name: 'asc' } as const
const namesOf = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name)

/** Names are listed up to here. */
const mostNames = 12

/** What a name could have been. */
async function unknown(what: string, text: string, names: NamesOf): Promise<CliError> {
  const known = await names(mostNames + 1)
  const listed = known.slice(0, mostNames).join(', ')
  const more = known.length > mostNames ? ' and others' : ''
  const hint = known.length === 0 ? 'There is none yet.' : `There are: ${listed}${more}.`
  return new CliError('not_found', `There is no ${what} "${text}". ${hint}`)
}

/** The names that there are, so many at most. */
type NamesOf = (most: number) => Promise<string[]>

/** The one record that the text names. */
async function only(
  what: string,
  text: string,
  found: readonly Found[],
  names: NamesOf,
): Promise<string> {
  const [first, ...others] = found
  if (!first) throw await unknown(what, text, names)
  if (others.length === 0) return first.id
  const ids = found.map(({ id }) => id).join(', ')
  throw invalid(what, `names ${found.length}, with the ids ${ids}: give one of them`, text)
}

/**
 * The id of a project that is given by its id, or by its name or domain in any case.
 * @throws {Fault} `invalid_argument` for a name of several projects
 * @throws {CliError} `not_found` for a name of none
 */
export async function projectIdOf(db: Catalog, text: string): Promise<string> {
  if (isUuid(text)) return text
  const where = { OR: [{ name: inAnyCase(text) }, { domain: inAnyCase(text) }] }
  return only('project', text, await db.project.findMany({ where, select }), async (take) =>
    namesOf(await db.project.findMany({ select: named, orderBy, take })),
  )
}

/**
 * The id of a workspace that is given by its id, or by its name in any case.
 * @throws {Fault} `invalid_argument` for a name of several workspaces
 * @throws {CliError} `not_found` for a name of none
 */
export async function workspaceIdOf(db: Catalog, text: string): Promise<string> {
  if (isUuid(text)) return text
  const found = await db.workspace.findMany({ where: { name: inAnyCase(text) }, select })
  return only('workspace', text, found, async (take) =>
    namesOf(await db.workspace.findMany({ select: named, orderBy, take })),
  )
}

/** The options of a command, with ids in the place of the names of a project or a workspace. */
export async function withIds<Options>(context: Context, options: Options): Promise<Options> {
  const { project, workspace } = options as { project?: unknown; workspace?: unknown }
  const isName = (given: unknown): given is string => typeof given === 'string' && !isUuid(given)
  if (!isName(project) && !isName(workspace)) return options
  const { withCatalog } = await import('./stores.ts')
  const ids = await withCatalog(context, async (db) => ({
    ...(isName(project) ? { project: await projectIdOf(db, project) } : {}),
    ...(isName(workspace) ? { workspace: await workspaceIdOf(db, workspace) } : {}),
  }))
  return { ...options, ...ids }
}

interface LookUp {
  /** What people call such a record. */
  readonly word: string
  find(db: Catalog, projectId: string, text: string): Promise<Found[]>
  names(db: Catalog, projectId: string, take: number): Promise<string[]>
}

/** The records of a project that have names, by the parameter of REST that takes their id. */
const lookUps: Readonly<Record<string, LookUp>> = {
  competitorId: {
    word: 'competitor',
    find: (db, projectId, text) =>
      db.competitor.findMany({ where: { projectId, name: inAnyCase(text) }, select }),
    names: async (db, projectId, take) =>
      namesOf(await db.competitor.findMany({ where: { projectId }, select: named, orderBy, take })),
  },
  topicId: {
    word: 'topic',
    find: (db, projectId, text) =>
      db.topic.findMany({ where: { projectId, name: inAnyCase(text) }, select }),
    names: async (db, projectId, take) =>
      namesOf(await db.topic.findMany({ where: { projectId }, select: named, orderBy, take })),
  },
  locationId: {
    word: 'location',
    find: (db, projectId, text) =>
      db.location.findMany({ where: { projectId, city: inAnyCase(text) }, select }),
    names: async (db, projectId, take) =>
      (await db.location.findMany({ where: { projectId, city: { not: null } }, take })).flatMap(
        ({ city }) => city ?? [],
      ),
  },
  scheduleId: {
    word: 'schedule',
    find: (db, projectId, text) =>
      db.schedule.findMany({ where: { projectId, name: inAnyCase(text) }, select }),
    names: async (db, projectId, take) =>
      namesOf(await db.schedule.findMany({ where: { projectId }, select: named, orderBy, take })),
  },
  promptId: {
    word: 'prompt',
    find: (db, projectId, text) =>
      db.prompt.findMany({ where: { projectId, text: inAnyCase(text) }, select }),
    names: async (db, projectId, take) =>
      (await db.prompt.findMany({ where: { projectId }, orderBy: { text: 'asc' }, take })).map(
        ({ text }) => text,
      ),
  },
}

/**
 * The value of a parameter, with the id in place of the name of a competitor, topic, city or schedule, or of a prompt's text.
 * @throws {Fault} `invalid_argument` for a name of several records
 * @throws {CliError} `not_found` for a name of none
 */
export async function idNamed(
  db: Catalog,
  projectId: string,
  parameter: string,
  text: string,
): Promise<string> {
  const lookUp = lookUps[parameter]
  if (!lookUp || isUuid(text)) return text
  const found = await lookUp.find(db, projectId, text)
  return only(lookUp.word, text, found, (take) => lookUp.names(db, projectId, take))
}
