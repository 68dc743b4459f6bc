import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { z } from 'zod'
import type { Log } from '../../core/log.ts'
import { replaceFile } from '../../disk/durable-file.ts'
import type { Revoked } from '../../ingest/endpoint/key.ts'

const listSchema = z.object({ keys: z.array(z.string()), projects: z.array(z.string()) })
type List = z.infer<typeof listSchema>

export interface RevocationOptions {
  /** Keeps the list for a start while PostgreSQL is away. */
  readonly file: string
  readonly log: Log
  /** Default 50 s, so that a revoked key is refused within a minute. */
  readonly everyMs?: number | undefined
}

/** Valid signatures to refuse: revoked keys and deleted projects. */
export interface Revocations {
  current(): Revoked
  /** Reads the list from the catalog periodically, from now on. */
  follow(databaseUrl: string): void
  close(): void
}

const EVERY_MS = 50_000
const AGAIN_MS = 2_000
const CONNECT_MS = 5_000

const revokedKeys = 'SELECT id FROM "IngestKey" WHERE "revokedAt" IS NOT NULL ORDER BY id'
// A deleted project leaves only its audit entry.
const deletedProjects = `SELECT DISTINCT "subjectId" AS id FROM "AuditEntry" WHERE action = 'project.delete' ORDER BY id`

/** Opens the last stored list; without one the list is empty. */
export async function openRevocations(options: RevocationOptions): Promise<Revocations> {
  const { file, log, everyMs = EVERY_MS } = options
  let kept = await readKept(file, log)
  let list = kept
  let revoked = asSets(list)
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let isFailing = false

  async function refresh(databaseUrl: string): Promise<void> {
    list = await readList(databaseUrl)
    revoked = asSets(list)
    if (isDeepStrictEqual(list, kept)) return
    log.info({ keys: list.keys.length, projects: list.projects.length }, 'revoked')
    await replaceFile(file, `${JSON.stringify(list)}\n`)
    kept = list
  }
  async function again(databaseUrl: string): Promise<void> {
    const pauseMs = await refresh(databaseUrl).then(
      () => {
        isFailing = false
        return everyMs
      },
      ({ message }: Error) => {
        if (!isFailing)
          log.warn(
            {},
            `The list of revoked keys could not be read: ${message}. \`sightline doctor\` checks DATABASE_URL.`,
          )
        isFailing = true
        return Math.min(AGAIN_MS, everyMs)
      },
    )
    if (!isClosed) timer = setTimeout(again, pauseMs, databaseUrl)
  }
  return {
    current: () => revoked,
    follow: (databaseUrl) => void again(databaseUrl),
    close: () => {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

function asSets({ keys, projects }: List): Revoked {
  return { keys: new Set(keys), projects: new Set(projects) }
}

async function readKept(file: string, log: Log): Promise<List> {
  try {
    return listSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      log.error({ file }, `No key counts as revoked yet: ${file} cannot be read: ${error}`)
    }
    return { keys: [], projects: [] }
  }
}

// A new connection each time: an idle one could break unnoticed.
async function readList(connectionString: string): Promise<List> {
  const options = { connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS }
  const client = new pg.Client({ connectionString, ...options })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const ids = async (sql: string) =>
      (await client.query<{ id: string }>(sql)).rows.map(({ id }) => id)
    return { keys: await ids(revokedKeys), projects: await ids(deletedProjects) }
  } finally {
    await client.end().catch(() => undefined)
  }
}
