import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { drainPending, type RawInsertFormat } from 'chdb'
import { exception, fromEngine } from './exception.ts'
import { quote } from './literals.ts'
import { assignments, beyondSession, openSession, type Session } from './session.ts'
import { createSlots, type Slots } from './slots.ts'

/** One statement, its parameters already bound, with what the request says about it. */
export interface Job {
  /** Begins with `q`. */
  readonly id: string
  /** The first word of the statement in capitals. */
  readonly verb: string
  /** The SQL, without FORMAT and rows when it is an insert that has them. */
  readonly sql: string
  /** How settings are to be joined on: some statements have a SETTINGS clause already. */
  readonly settingsJoin: 'SETTINGS' | ','
  readonly settings: Readonly<Record<string, string>>
  readonly database: string | undefined
  /** The format of the answer, where the statement names none. */
  readonly format: string
  readonly rows: { readonly format: string; readonly bytes: Buffer } | undefined
  readonly signal: AbortSignal
}

export interface Answer {
  readonly bytes: Uint8Array
  readonly rowsRead: number
  readonly rowsWritten: number
  /** Seconds that the engine itself took. */
  readonly seconds: number
}

// Statements that change nothing in their session, so requests can share one.
const reads = new Set(['SELECT', 'WITH', 'SHOW', 'DESCRIBE', 'DESC', 'EXPLAIN', 'EXISTS'])

const plainInsert = /^\s*INSERT\s+INTO\s+(?:TABLE\s+)?(\w+(?:\.\w+)?)\s*(?:\(([\w\s,]+)\)\s*)?$/i

// Formats whose bytes go to chDB unchanged, without a copy as a JavaScript string.
const rawFormats: readonly string[] = [
  'JSONEachRow',
  'JSONCompactEachRow',
  'CSV',
  'CSVWithNames',
  'TabSeparated',
  'TabSeparatedWithNames',
] satisfies RawInsertFormat[]

const isRaw = (format: string): format is RawInsertFormat => rawFormats.includes(format)

async function query(session: Session, sql: string, format: string): Promise<Answer> {
  const result = await session.queryAsync(sql, { format })
  const { elapsed: seconds, rowsRead } = result
  return { bytes: result.bytes(), rowsRead, rowsWritten: 0, seconds }
}

/** Hands the bytes of an insert to the engine; undefined when the statement needs the long way. */
async function insert(session: Session, job: Job): Promise<Answer | undefined> {
  const [, table, columns] = (job.rows && plainInsert.exec(job.sql)) ?? []
  if (job.rows === undefined || table === undefined || !isRaw(job.rows.format)) return undefined
  const summary = await session.insert({
    table,
    values: job.rows.bytes,
    format: job.rows.format,
    settings: beyondSession(job.settings),
    ...(columns === undefined ? {} : { columns: columns.split(',').map((name) => name.trim()) }),
  })
  const { rowsWritten, elapsed: seconds } = summary
  return { bytes: new Uint8Array(0), rowsRead: 0, rowsWritten, seconds }
}

/** A chDB folder, open in this process. */
export class Engine {
  readonly #dataDir: string
  readonly #slots: Slots<Session>
  /** Only for KILL, which must not wait for a slot. */
  readonly #control: Session
  #killed: Promise<unknown> = Promise.resolve()

  /** @throws {Error} when another process has the folder open */
  constructor(dataDir: string, parallelQueries: number) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    this.#dataDir = dataDir
    this.#control = openSession(dataDir)
    this.#slots = createSlots(Array.from({ length: parallelQueries }, () => openSession(dataDir)))
  }

  /**
   * Runs a statement as soon as a session is free, and calls `onTurn` then. A read ends early when the signal is aborted.
   * @throws {Exception} what the engine threw
   */
  async run(job: Job, onTurn: () => void = () => undefined): Promise<Answer> {
    const session = await this.#slots.take(job.signal)
    onTurn()
    try {
      if (job.database === undefined) {
        if (reads.has(job.verb)) return await this.#read(session, job)
        const inserted = await insert(session, job)
        if (inserted !== undefined) return inserted
      }
      return await this.#runApart(job)
    } catch (error) {
      // chDB frees what a failed query holds, up to gigabytes, with the next query of its session.
      await session.queryAsync('SELECT 1').catch(() => undefined)
      throw fromEngine(error)
    } finally {
      this.#slots.give(session)
    }
  }

  /** How many sessions there are and are busy, and how many statements wait for one. */
  get load() {
    return this.#slots.load()
  }

  /** Cuts off reads, lets writes end, and closes the folder. */
  async close(): Promise<void> {
    const idle = this.#slots.close()
    await this.#stopQueries('/* q', idle)
    for (const session of await idle) session.close()
    this.#control.close()
    await drainPending()
  }

  async #read(session: Session, job: Job): Promise<Answer> {
    if (job.signal.aborted) throw exception(394, 'Query was cancelled')
    const settings = assignments(beyondSession(job.settings))
    const clause = settings === '' ? '' : `\n${job.settingsJoin} ${settings}`
    // The comment is what finds the query again, when the client leaves before it is done.
    const mark = `/* ${job.id} */`
    const answer = query(session, `${mark} ${job.sql}${clause}`, job.format)
    const stop = () => void this.#stopQueries(mark, answer)
    job.signal.addEventListener('abort', stop, { once: true })
    return answer.finally(() => job.signal.removeEventListener('abort', stop))
  }

  /** For statements that change their session (SET, USE), or where SETTINGS means something else. */
  async #runApart(job: Job): Promise<Answer> {
    const session = openSession(this.#dataDir)
    try {
      if (job.database !== undefined) {
        if (!/^\w+$/.test(job.database)) throw exception(36, 'The database is not an identifier')
        await session.queryAsync(`USE \`${job.database}\``)
      }
      const settings = assignments(beyondSession(job.settings))
      if (settings !== '') await session.queryAsync(`SET ${settings}`)
      const rows = job.rows === undefined ? '' : ` FORMAT ${job.rows.format}\n${job.rows.bytes}`
      return await query(session, job.sql + rows, job.format)
    } finally {
      session.close()
    }
  }

  /** Asks the engine, again and again, to stop the queries that begin so, until they have ended. */
  async #stopQueries(start: string, ended: Promise<unknown>): Promise<void> {
    const sql = `KILL QUERY WHERE startsWith(query, ${quote(start)}) ASYNC`
    let hasEnded = false
    const end = ended
      .catch(() => undefined)
      .then(() => {
        hasEnded = true
      })
    await Promise.race([end, sleep(0)])
    while (!hasEnded) {
      // One at a time, as for every session. SYNC would wait for the KILL's own inner query.
      this.#killed = this.#killed.then(() => this.#control.queryAsync(sql)).catch(() => undefined)
      await this.#killed
      // A query that had not begun yet is found the next time.
      await Promise.race([end, sleep(100)])
    }
  }
}
