import type { PrivateHost } from '../../core/sites/private-hosts.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import type { Path, ProjectFile } from './file.ts'

interface ChangedField {
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

/** One difference between a file and the catalog. */
export interface Change {
  readonly action: 'add' | 'change' | 'remove'
  readonly workspace: string
  /** The name of the project; null for what belongs to the workspace. */
  readonly project: string | null
  /** Such as `topic "Headphones"`. */
  readonly what: string
  readonly fields: readonly ChangedField[]
}

/** What making the changes of a file needs, and what came of it. */
export interface Work {
  readonly tx: Db
  readonly actor: Actor
  readonly file: ProjectFile
  readonly env: NodeJS.ProcessEnv
  readonly signingSecret: string
  readonly privateHosts: readonly PrivateHost[]
  readonly isMailed: boolean
  readonly changes: Change[]
  /** Removals of what others refer to. */
  readonly last: (() => Promise<void>)[]
  /** Secrets of new webhooks, by the names of their channels. */
  readonly secrets: { readonly channel: string; readonly secret: string }[]
  /** Ids of projects whose stored answers were searched for other names. */
  readonly recount: Set<string>
}

/** The part of a file that a change belongs to. */
export interface Place {
  readonly workspace: string
  readonly project: string | null
}

export interface Asked extends Place {
  readonly path: Path
  readonly action: Change['action']
  readonly what: string
  readonly fields?: readonly ChangedField[]
}

/** Makes a change, and notes it. An error names the place of the file. */
export async function make<Result>(
  work: Work,
  { path, action, workspace, project, what, fields = [] }: Asked,
  run: () => Promise<Result>,
): Promise<Result> {
  work.changes.push({ action, workspace, project, what, fields })
  try {
    return await run()
  } catch (error) {
    throw work.file.placed(path, error)
  }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The fields that are given and differ. */
export function differing(
  before: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): ChangedField[] {
  return Object.entries(wanted)
    .filter(([name, after]) => after !== undefined && !same(before[name] ?? null, after ?? null))
    .map(([name, after]) => ({ name, before: before[name] ?? null, after }))
}

/** A name in quotation marks. */
export const named = (noun: string, name: string) => `${noun} "${name}"`

/** Ids of what a project has after the change, by names. */
export type Ids = ReadonlyMap<string, string>

/**
 * The ids of what a list of a file names.
 * @throws {CliError} for a name of nothing
 */
export function idsOf(
  work: Pick<Work, 'file'>,
  path: Path,
  noun: string,
  wanted: readonly string[] | undefined,
  find: (text: string) => string | undefined,
): string[] | undefined {
  return wanted?.map((text, index) => {
    const id = find(text)
    if (id === undefined) throw work.file.wrong([...path, index], `names no ${noun} of the project`)
    return id
  })
}
