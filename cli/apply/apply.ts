import { mailSettingsOf } from '../../core/mail/settings.ts'
import type { Catalog, Db } from '../../prisma/client.ts'
import { createLocalWorkspace } from '../../resolvers/members/local-owner.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { inTransaction } from '../../resolvers/shared/transaction.ts'
import { updateWorkspace } from '../../resolvers/workspaces.ts'
import type { Context } from '../context.ts'
import { type Change, differing, make, named, type Work } from './changes.ts'
import { applyChannels } from './channels.ts'
import type { Path, ProjectFile } from './file.ts'
import { applyProject } from './project.ts'
import { sameName, type Workspace } from './shape.ts'
import { readState } from './state.ts'

export interface Outcome {
  readonly changes: readonly Change[]
  readonly secrets: Work['secrets']
  /** Ids of projects whose answers were searched for other names. */
  readonly recount: readonly string[]
}

/** Undoes the transaction of a plan. */
class Undone extends Error {}

/** Thousands of prompts are each written with their revision. */
const mostMs = 600_000

/**
 * Makes what a file says, in one transaction: all of it or nothing. A plan makes the same and undoes it: it refuses what
 * the change would refuse.
 * @param accept called with the changes before they are kept; an error undoes them
 * @throws {CliError} with the line and the field of the file
 */
export async function applyFile(
  { settings }: Pick<Context, 'settings'>,
  db: Catalog,
  { signingSecrets }: { readonly signingSecrets: readonly [string, ...string[]] },
  file: ProjectFile,
  { isPlan, accept }: { readonly isPlan: boolean; accept?(changes: readonly Change[]): void },
): Promise<Outcome> {
  const [signingSecret] = signingSecrets
  const outcome = { changes: [], secrets: [], recount: new Set<string>() }
  const run = async (tx: Db) => {
    const work: Work = {
      ...outcome,
      tx,
      actor: commandLine,
      file,
      env: process.env,
      signingSecret,
      privateHosts: settings.ALLOW_PRIVATE_HOSTS,
      isMailed: mailSettingsOf(settings) !== null,
      last: [],
    }
    for (const [index, workspace] of file.content.workspaces.entries()) {
      await applyWorkspace(work, workspace, ['workspaces', index])
    }
    for (const removal of work.last) await removal()
    accept?.(work.changes)
    if (isPlan) throw new Undone()
  }
  await inTransaction(db, run, { timeout: mostMs }).catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error
  })
  return { ...outcome, recount: [...outcome.recount] }
}

async function applyWorkspace(work: Work, wanted: Workspace, path: Path): Promise<void> {
  const id = await workspaceOf(work, wanted, path)
  const state = await readState(work.tx, id)
  for (const [index, project] of (wanted.projects ?? []).entries()) {
    await applyProject(work, state, project, [...path, 'projects', index])
  }
  const { projects } = await readState(work.tx, id)
  await applyChannels(work, { ...state, projects }, wanted.channels, [...path, 'channels'])
}

/** The workspace of the name, which is made where there is none. */
async function workspaceOf(work: Work, { name, plan }: Workspace, path: Path): Promise<string> {
  const { tx, actor, file } = work
  const where = { name: { equals: name, mode: 'insensitive' as const } }
  const found = await tx.workspace.findMany({ where, select: { id: true, name: true, plan: true } })
  const [known] = found
  if (found.length > 1)
    throw file.wrong([...path, 'name'], `is the name of ${found.length} workspaces`)
  const place = { workspace: name, project: null }
  if (!known) {
    const what = named('workspace', name)
    const made = await make(work, { ...place, path, action: 'add', what }, () =>
      createLocalWorkspace(tx, { name, ...(plan && { plan }) }),
    )
    return made.id
  }
  const wanted = { ...(sameName(name) === sameName(known.name) && { name }), plan }
  const fields = differing(known, wanted)
  if (fields.length > 0) {
    const what = named('workspace', known.name)
    await make(work, { ...place, path, action: 'change', what, fields }, () =>
      updateWorkspace(tx, actor, known.id, { name, ...(plan && { plan }) }),
    )
  }
  return known.id
}
