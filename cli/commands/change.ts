import type { Command } from 'commander'
import type { Catalog } from '../../prisma/client.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import type { Outcome } from '../../resolvers/shared/change.ts'
import { type Context, perform, type Outcome as Said } from '../run.ts'
import { withCatalog } from '../stores.ts'

interface Who {
  readonly db: Catalog
  readonly actor: Actor
  readonly projectId: string
}

/** Adds a command whose project is an option. */
export function ofProject(parent: Command, verb: string): Command {
  return parent.command(verb).requiredOption('--project <id>', 'the project')
}

/** The end of a command's help. */
export function example(line: string): string {
  return `\nExample:\n  $ npx sightline ${line}`
}

/** What a change says of itself; `done` goes before the id of what was changed. */
export function sayChange(done: string, { id, changed }: { id: string; changed: boolean }): string {
  return changed ? `${done} ${id}` : `Nothing to change: ${id} is so already.`
}

/** Changes a project by order of the command line, and says whether its answers need a new analysis. */
export async function projectChange(
  context: Context,
  id: string,
  done: string,
  work: (who: Who) => Promise<Outcome>,
): Promise<Said> {
  const { commandLine } = await import('../../resolvers/shared/audit-trail.ts')
  const projectId = id.toLowerCase()
  const { subjectId, changed, needsReanalysis } = await withCatalog(context, (db) =>
    work({ db, actor: commandLine, projectId }),
  )
  const json = { id: subjectId, changed, needsReanalysis }
  const said = sayChange(done, json)
  const next = `For the answers that are there, run \`npx sightline reanalyze --project ${projectId}\``
  return { json, text: needsReanalysis ? `${said}\n${next}` : said }
}

/** The action of a command that `ofProject` made. */
export function change<Options extends object, Args extends unknown[] = []>(
  done: string,
  work: (who: Who, options: Options, ...args: Args) => Promise<Outcome>,
) {
  return perform<Options & { project: string }, Args>((context, options, ...args) =>
    projectChange(context, options.project, done, (who) => work(who, options, ...args)),
  )
}

/** Rows as columns of equal width; `nothing` where there are none. */
export function asColumns(rows: readonly (readonly string[])[], nothing: string): string {
  if (rows.length === 0) return nothing
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}
