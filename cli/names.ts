import { invalid } from '../core/errors.ts'
import type { Catalog } from '../prisma/client.ts'
import { isUuid } from '../resolvers/shared/ids.ts'
import type { Context } from './context.ts'

interface Found {
  readonly id: string
}

const inAnyCase = (text: string) => ({ equals: text, mode: 'insensitive' as const })
const select = { id: true } as const

/** The one record that the text names. A text that names none stays, and is then an id that does not exist. */
function only(what: string, text: string, found: readonly Found[]): string {
  const [first, ...others] = found
  if (others.length === 0) return first?.id ?? text
  const ids = found.map(({ id }) => id).join(', ')
  throw invalid(what, `names ${found.length}, with the ids ${ids}: give one of them`, text)
}

/**
 * The id of a project that is given by its id, or by its name or domain in any case.
 * @throws {Fault} `invalid_argument` for a name of several projects
 */
export async function projectIdOf(db: Catalog, text: string): Promise<string> {
  if (isUuid(text)) return text
  const where = { OR: [{ name: inAnyCase(text) }, { domain: inAnyCase(text) }] }
  return only('project', text, await db.project.findMany({ where, select }))
}

/**
 * The id of a workspace that is given by its id, or by its name in any case.
 * @throws {Fault} `invalid_argument` for a name of several workspaces
 */
export async function workspaceIdOf(db: Catalog, text: string): Promise<string> {
  if (isUuid(text)) return text
  return only(
    'workspace',
    text,
    await db.workspace.findMany({ where: { name: inAnyCase(text) }, select }),
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

/** The records of a project that have names, by the parameter of REST that takes their id. */
const lookUps: Readonly<
  Record<string, (db: Catalog, projectId: string, text: string) => Promise<Found[]>>
> = {
  competitorId: (db, projectId, text) =>
    db.competitor.findMany({ where: { projectId, name: inAnyCase(text) }, select }),
  topicId: (db, projectId, text) =>
    db.topic.findMany({ where: { projectId, name: inAnyCase(text) }, select }),
  locationId: (db, projectId, text) =>
    db.location.findMany({ where: { projectId, city: inAnyCase(text) }, select }),
  scheduleId: (db, projectId, text) =>
    db.schedule.findMany({ where: { projectId, name: inAnyCase(text) }, select }),
  promptId: (db, projectId, text) =>
    db.prompt.findMany({ where: { projectId, text: inAnyCase(text) }, select }),
}

/**
 * The value of a parameter, with the id in place of the name of a competitor, topic, city or schedule, or of a prompt's text.
 * @throws {Fault} `invalid_argument` for a name of several records
 */
export async function idNamed(
  db: Catalog,
  projectId: string,
  parameter: string,
  text: string,
): Promise<string> {
  const lookUp = lookUps[parameter]
  if (!lookUp || isUuid(text)) return text
  return only(parameter, text, await lookUp(db, projectId, text))
}
