import type { Catalog } from '../prisma/client.ts'
import type { Actor } from '../resolvers/shared/audit-trail.ts'
import { projectIdOf } from './names.ts'
import { type CommandResult, type Context, perform } from './run.ts'
import { withCatalog } from './stores.ts'

interface Change {
  readonly subjectId: string
  readonly changed: boolean
}

interface ProjectChange extends Change {
  readonly needsReanalysis: boolean
}

interface ProjectWrite {
  readonly db: Catalog
  readonly actor: Actor
  readonly projectId: string
}

interface WorkspaceWrite {
  readonly db: Catalog
  readonly actor: Actor
  readonly workspaceId: string
  /** Whether the service sends mail. */
  readonly isMailed: boolean
}

/**
 * The result of a change for people.
 * @param done precedes the id: "Added alias"
 */
export function describeChange(done: string, { id, changed }: { id: string; changed: boolean }) {
  return changed ? `${done} ${id}` : `Nothing to change: ${id} is up to date.`
}

/** Changes a project on behalf of the command line, and says whether its answers need a new analysis. */
export async function changeProject(
  context: Context,
  id: string,
  done: string,
  work: (write: ProjectWrite) => Promise<ProjectChange>,
): Promise<CommandResult> {
  const { commandLine } = await import('../resolvers/shared/audit-trail.ts')
  let projectId = id
  const { subjectId, changed, needsReanalysis } = await withCatalog(context, async (db) => {
    projectId = (await projectIdOf(db, id)).toLowerCase()
    return work({ db, actor: commandLine, projectId })
  })
  const json = { id: subjectId, changed, needsReanalysis }
  const text = describeChange(done, json)
  const next = `To recount the stored answers, run \`npx sightline recount --project ${projectId}\``
  return { json, text: needsReanalysis ? `${text}\n${next}` : text }
}

/** The action of a `projectCommand` that changes the project. */
export function projectChange<Options extends object, Args extends unknown[] = []>(
  done: string,
  work: (write: ProjectWrite, options: Options, ...args: Args) => Promise<ProjectChange>,
) {
  return perform<Options & { project: string }, Args>((context, options, ...args) =>
    changeProject(context, options.project, done, (write) => work(write, options, ...args)),
  )
}

/** The action of a `workspaceCommand` that changes the workspace. */
export function workspaceChange<Options extends object, Args extends unknown[] = []>(
  done: string,
  work: (write: WorkspaceWrite, options: Options, ...args: Args) => Promise<Change>,
) {
  return perform<Options & { workspace: string }, Args>(async (context, options, ...args) => {
    const isMailed = context.settings.SMTP_URL !== undefined
    const { commandLine } = await import('../resolvers/shared/audit-trail.ts')
    const { subjectId, changed } = await withCatalog(context, (db) =>
      work({ db, actor: commandLine, workspaceId: options.workspace, isMailed }, options, ...args),
    )
    const json = { id: subjectId, changed }
    return { json, text: describeChange(done, json) }
  })
}
