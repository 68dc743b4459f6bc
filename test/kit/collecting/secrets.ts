import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Catalog } from '../../../prisma/client.ts'
import { run, type Warehouse } from '../../../warehouse/run.ts'

/** A secret in one way to write it. */
interface Spelling {
  readonly name: string
  readonly bytes: Buffer
}

/** A secret inside a longer text in Base64: it begins at one of three places of a group. */
function base64Spellings(secret: string): Spelling[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.from('x'.repeat(before) + secret).toString('base64url')
    const begin = Math.ceil((before * 4) / 3)
    const end = Math.floor(((before + secret.length) * 4) / 3)
    return { name: `base64 at ${before}`, bytes: Buffer.from(encoded.slice(begin, end)) }
  })
}

/** A secret in UTF-8, URL-encoded, in UTF-16, in hexadecimal and in Base64. */
export function spellingsOf(secret: string): Spelling[] {
  const hex = Buffer.from(secret).toString('hex')
  const url = base64Spellings(secret)
  const standard = url.map(({ name, bytes }) => ({
    name: `${name}, standard`,
    bytes: Buffer.from(String(bytes).replaceAll('-', '+').replaceAll('_', '/')),
  }))
  const all = [
    { name: 'UTF-8', bytes: Buffer.from(secret) },
    { name: 'URL-encoded', bytes: Buffer.from(encodeURIComponent(secret)) },
    { name: 'UTF-16', bytes: Buffer.from(secret, 'utf16le') },
    { name: 'hexadecimal', bytes: Buffer.from(hex) },
    { name: 'hexadecimal, upper case', bytes: Buffer.from(hex.toUpperCase()) },
    ...url,
    ...standard,
  ]
  // Ways that write this secret alike are one.
  return [...new Map(all.map((spelling) => [String(spelling.bytes), spelling])).values()]
}

/** Those that PostgreSQL takes for texts: without zero bytes. */
const textsOf = (spellings: readonly Spelling[]) =>
  spellings.filter(({ bytes }) => !bytes.includes(0)).map(({ bytes }) => String(bytes))

const namesIn = (bytes: Buffer, spellings: readonly Spelling[]) =>
  spellings.filter((spelling) => bytes.includes(spelling.bytes)).map(({ name }) => name)

/** @returns the spellings in a text, each as `place: spelling` */
export const foundIn = (place: string, text: string | Buffer, spellings: readonly Spelling[]) =>
  namesIn(Buffer.from(text), spellings).map((name) => `${place}: ${name}`)

/** Looks at each byte of each file below a folder. */
export function foundInFiles(folder: string, spellings: readonly Spelling[]) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  let size = 0
  const found = files.flatMap((file) => {
    const path = join(file.parentPath, file.name)
    const bytes = readFileSync(path)
    size += bytes.length
    return foundIn(path, bytes, spellings)
  })
  return { files: files.length, bytes: size, found }
}

/** Arguments and variables of a process, or nothing of one that has ended. */
export function foundInProcess(pid: number, spellings: readonly Spelling[]): string[] {
  return ['cmdline', 'environ'].flatMap((name) => {
    try {
      return foundIn(`${pid} ${name}`, readFileSync(`/proc/${pid}/${name}`), spellings)
    } catch (error) {
      if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
      throw error
    }
  })
}

/** The process and all that descend from it. */
export function familyOf(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return [[Number(name), Number(parent)] as const]
      } catch {
        return []
      }
    })
  const family = [pid]
  for (const member of family) {
    for (const [child, parent] of parents) if (parent === member) family.push(child)
  }
  return family
}

/** Each row of each table of the catalog as text: PostgreSQL compresses long values in its files. */
export async function foundInCatalog(db: Catalog, spellings: readonly Spelling[]) {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`
  const texts = textsOf(spellings)
  const found: string[] = []
  for (const { name } of tables) {
    const [row] = await db.$queryRawUnsafe<{ hits: number }[]>(
      `SELECT count(*)::int AS hits FROM ${name} AS t
        WHERE EXISTS (SELECT FROM unnest($1::text[]) AS s (text) WHERE position(s.text IN t::text) > 0)`,
      texts,
    )
    if (row?.hits !== 0) found.push(name)
  }
  return { tables: tables.length, found }
}

/** Each row of each table of the warehouse as JSON: its files are compressed. */
export async function foundInWarehouse(warehouse: Warehouse, spellings: readonly Spelling[]) {
  const tables = await run<{ name: string }>(warehouse, {
    id: 'test.tables',
    sql: `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'`,
  })
  const texts = textsOf(spellings)
  const found: string[] = []
  for (const { name } of tables) {
    const [row] = await run<{ hits: number }>(warehouse, {
      id: 'test.secrets',
      params: { texts },
      timeoutMs: 120_000,
      // Of strings within lists and maps too. JSON of a row would escape slashes.
      sql: `SELECT count() AS hits FROM ${name}
             WHERE multiSearchAny(toString(tuple(*)), {texts:Array(String)})`,
    })
    if (row?.hits !== 0) found.push(name)
  }
  return { tables: tables.length, found }
}
