import { Fault } from '../../core/errors.ts'
import { utcDayOf } from '../../core/window.ts'
import { type Catalog, patiently } from '../../prisma/client.ts'
import type { Import } from '../../prisma/generated/client.ts'
import { type Actor, commandLine, recordEdits } from '../../resolvers/shared/audit-trail.ts'
import type { Project } from './lock.ts'

/** The imports that are kept in the list of imports, and that can be undone. */
export const importKinds = [
  'answers',
  'prompts',
  'access_log',
  'web_analytics',
  'search_console',
  'page_contents',
  'pages',
  'articles',
  'domain_authority',
] as const
export type ImportKind = (typeof importKinds)[number]

/** The import of rows from before the list of imports. */
export const nilImport = '00000000-0000-0000-0000-000000000000'

/**
 * Imports of rows by day. `Import.stage` is `staging` while readers see nothing of one, `publishing` from the moment at
 * which nothing can undo it any more, and null after its end.
 */
export type DatedKind = 'web_analytics' | 'search_console'
const isDated = (kind: ImportKind): kind is DatedKind =>
  kind === 'web_analytics' || kind === 'search_console'

/** Who imports, and which file. */
export interface ImportSource {
  /** The command line by default. */
  readonly actor?: Actor | undefined
  /** Name of the file; absent for a text of a request, and for standard input. */
  readonly file?: string | null | undefined
  /** Gets the id of the import in the list of imports. */
  readonly onBegun?: ((importId: string) => void) | undefined
  /** The answers are those of a run, and no file's. */
  readonly isCollected?: boolean | undefined
}

/** The days of the rows of an import. */
export interface Days {
  /** `YYYY-MM-DD`. */
  readonly from: string
  readonly to: string
}

export interface RecordCounts {
  readonly read: number
  readonly loaded: number
  readonly rejected: number
  readonly days: Days | null
}

/** An import in the list of imports, from its start. */
export class ImportRecord {
  readonly id: string
  readonly #db: Catalog
  readonly #project: Project
  readonly #kind: ImportKind
  readonly #source: ImportSource

  private constructor(
    id: string,
    of: { db: Catalog; project: Project; kind: ImportKind; source: ImportSource },
  ) {
    this.id = id
    this.#db = of.db
    this.#project = of.project
    this.#kind = of.kind
    this.#source = of.source
  }

  /** Call it under the lock of the import, before the first row is written. */
  static async begin(
    db: Catalog,
    project: Project,
    kind: ImportKind,
    source: ImportSource,
  ): Promise<ImportRecord> {
    const { actor = commandLine, file = null, isCollected = false } = source
    const { userId, keyId } = actor
    const stage = isDated(kind) ? 'staging' : null
    const data = { projectId: project.id, kind, file, userId, keyId, stage, isCollected }
    const { id } = await patiently(() => db.import.create({ data, select: { id: true } }))
    source.onBegun?.(id)
    return new ImportRecord(id, { db, project, kind, source })
  }

  /** An import whose process was killed. */
  static of(db: Catalog, project: Project, { id, kind, ...source }: Import): ImportRecord {
    const { userId, keyId, file } = source
    const of = { actor: { userId, keyId }, file }
    return new ImportRecord(id, { db, project, kind: kind as ImportKind, source: of })
  }

  /** Stores the connection that the rows belong to. */
  async linkedTo({ subjectId, isNew }: { subjectId: string; isNew: boolean }): Promise<void> {
    const data = { connectionId: subjectId, madeLink: isNew }
    await patiently(() => this.#db.import.updateMany({ where: { id: this.id }, data }))
  }

  async setLoad(loadSeq: number): Promise<void> {
    const where = { id: this.id }
    await patiently(() => this.#db.import.updateMany({ where, data: { loadSeq } }))
  }

  /**
   * From now on the rows of an import by day are shown to readers, also when its process is killed.
   * @throws {Fault} 502 when the lock was lost, and the import was undone meanwhile
   */
  async publishes(counts: RecordCounts): Promise<void> {
    const where = { id: this.id, stage: { not: null } }
    const data = { ...stored(counts), stage: 'publishing' }
    const { count } = await patiently(() => this.#db.import.updateMany({ where, data }))
    if (count === 1) return
    const message = 'Another process ended this import, which changed nothing: run it again.'
    throw new Fault('internal_error', message, { status: 502, retryable: true })
  }

  /** An import that changed nothing leaves the list; another one gets its counts, and an audit entry. */
  async finish(counts: RecordCounts): Promise<void> {
    const { id } = this
    if (counts.loaded === 0) {
      await patiently(() => this.#db.import.deleteMany({ where: { id } }))
      return
    }
    const { id: projectId, workspaceId } = this.#project
    const { actor = commandLine, file = null } = this.#source
    const { days, ...numbers } = counts
    const after = {
      kind: this.#kind,
      file,
      ...numbers,
      from: days?.from ?? null,
      to: days?.to ?? null,
    }
    const record = () =>
      this.#db.$transaction(async (tx) => {
        const { count } = await tx.import.updateMany({
          where: { id, finishedAt: null },
          data: { ...stored(counts), stage: null, finishedAt: new Date() },
        })
        if (count === 0) return
        const place = { workspaceId, projectId }
        await recordEdits(tx, actor, place, [
          { action: 'import.add', subject: ['import', id], after },
        ])
      })
    await patiently(record)
  }

  /**
   * After an error: the rows that readers see stay in the list of imports. No failure here hides the error. Imports of rows
   * by day end themselves.
   */
  async giveUp(counts: RecordCounts): Promise<void> {
    if (isDated(this.#kind)) return
    const where = { id: this.id }
    const isGone = counts.loaded === 0 || this.#kind === 'answers'
    const end = isGone
      ? this.#db.import.deleteMany({ where })
      : this.#db.import.updateMany({ where, data: stored(counts) })
    await end.catch(() => undefined)
  }
}

function stored({ read, loaded, rejected, days }: RecordCounts) {
  const firstDay = days && new Date(`${days.from}T00:00:00Z`)
  const lastDay = days && new Date(`${days.to}T00:00:00Z`)
  return { read, loaded, rejected, firstDay, lastDay }
}

/** The counts that are stored. */
export function countsOf({ read, loaded, rejected, firstDay, lastDay }: Import): RecordCounts {
  const days = firstDay && lastDay && { from: utcDayOf(firstDay), to: utcDayOf(lastDay) }
  return { read: Number(read), loaded: Number(loaded), rejected: Number(rejected), days }
}

/** The days of some rows: `add` widens them. */
export class DayRange {
  #days: Days | null = null

  get days(): Days | null {
    return this.#days
  }

  /** @param day `YYYY-MM-DD` */
  add(day: string): void {
    const { from = day, to = day } = this.#days ?? {}
    if (this.#days && day >= from && day <= to) return
    this.#days = { from: day < from ? day : from, to: day > to ? day : to }
  }
}
