import type { Settings } from '../core/settings.ts'
import type { Problem } from './doctor/problem.ts'
import { CliError } from './errors.ts'

export type StoreSetting = 'DATABASE_URL' | 'CLICKHOUSE_URL'

const products = { DATABASE_URL: 'PostgreSQL', CLICKHOUSE_URL: 'ClickHouse' } as const

/** Codes of PostgreSQL and of ClickHouse, by what is wrong. */
const refusals = [
  {
    codes: ['28P01', '28000', '192', '193', '194', '516'],
    what: 'refuses the user or the password',
    mend: (setting: string) => `Correct both in ${setting}.`,
  },
  {
    codes: ['3D000', '81'],
    what: 'has no such database',
    mend: (setting: string) => `Create it, or correct its name in ${setting}.`,
  },
  {
    codes: ['42501', '497'],
    what: 'gives the user too few rights',
    mend: (setting: string) => `Grant them, or set another user in ${setting}.`,
  },
] as const

const longestReason = 160

/** The URL of a store without its password, and without what follows its path. */
function shown(url: string): string {
  const { protocol, username, host, pathname } = new URL(url)
  const user = username === '' ? '' : `${username}@`
  return `${protocol}//${user}${host}${pathname.replace(/\/$/, '')}`
}

interface Failure {
  readonly code?: unknown
  readonly message?: unknown
  readonly cause?: unknown
  readonly errors?: readonly unknown[]
}

/** The error and those that it hides: of a socket, or of each address of a name. */
function failuresOf(error: unknown): Failure[] {
  if (typeof error !== 'object' || error === null) return []
  const failure: Failure = error
  return [failure, ...[failure.cause, ...(failure.errors ?? [])].flatMap(failuresOf)]
}

const isOfNetwork = ({ code, message }: Failure) =>
  /^E(?!RR_)[A-Z_]+$/.test(String(code)) || /time[d ]?out|no answer within/i.test(String(message))

/** Why the store of a setting cannot be used: the setting, what was tried without its password, and what to do. */
export function storeProblem(setting: StoreSetting, url: string, error: unknown): Problem {
  const product = products[setting]
  const failures = failuresOf(error)
  const at = `${product} of ${setting}, at ${shown(url)},`
  const reasonOf = (failure: Failure | undefined) => {
    const text = String(failure?.message || failure?.code || error)
    const plain = text.replace(/^Code: \d+\. DB::Exception: /, '').replaceAll(/\s+/g, ' ')
    return plain.length > longestReason ? `${plain.slice(0, longestReason)}…` : plain
  }
  for (const { codes, what, mend } of refusals) {
    const found = failures.find(({ code }) => (codes as readonly string[]).includes(String(code)))
    if (found) return { problem: `${at} ${what}: ${reasonOf(found)}.`, mend: mend(setting) }
  }
  const away = failures.find(isOfNetwork)
  const mend = `Start the server, or correct ${setting}.`
  if (away) return { problem: `${at} does not answer: ${reasonOf(away)}.`, mend }
  return { problem: `${at} does not answer as ${product} does: ${reasonOf(failures[0])}.`, mend }
}

/** @throws when PostgreSQL does not answer */
async function askCatalog(url: string): Promise<void> {
  const { withSession } = await import('../prisma/session.ts')
  await withSession(url, (session) => session.query('SELECT 1'))
}

/** @throws when ClickHouse does not answer, or something else does */
export async function askWarehouse(url: string): Promise<void> {
  const { connect, newQueryId } = await import('../warehouse/http.ts')
  const connection = connect(url)
  try {
    const request = { queryId: newQueryId('reach'), sql: 'SELECT 1 AS one', timeoutMs: 10_000 }
    const { text } = await connection.send(request)
    if (text.trim() !== '{"one":1}') throw new Error(text.trim() || 'the answer is empty')
  } finally {
    connection.close()
  }
}

const asks = { DATABASE_URL: askCatalog, CLICKHOUSE_URL: askWarehouse }

/**
 * Asks the stores that settings lead to. Their first failure is a wrong setting more often than not.
 * @throws {CliError} `store_unreachable`, which names the setting and what to do
 */
export async function reachStores(
  settings: Settings,
  of: readonly StoreSetting[] = ['DATABASE_URL', 'CLICKHOUSE_URL'],
): Promise<void> {
  await Promise.all(
    of.map(async (setting) => {
      const url = settings[setting]
      if (url === undefined) return
      await asks[setting](url).catch((error: unknown) => {
        const { problem, mend } = storeProblem(setting, url, error)
        throw new CliError('store_unreachable', `${problem} ${mend}`, { cause: error })
      })
    }),
  )
}
