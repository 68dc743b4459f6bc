import { builtinBots, createBotMatcher } from '../../../core/bots/bots.ts'
import {
  type AccessLogFormat,
  type AccessLogOptions,
  type AccessLogResult,
  importAccessLog,
} from '../../../imports/access-log/access-log.ts'
import type { ImportStores } from '../../../imports/loads/runner.ts'
import { type Raw, run } from '../../../warehouse/run.ts'

export const gptBot =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'
export const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:151.0) Gecko/20100101 Firefox/151.0'

const dayMs = 24 * 60 * 60 * 1000

/** Noon, UTC, so many days ago: what is imported must lie between 400 days ago and now. */
export function noon(daysAgo: number): Date {
  return new Date(`${new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10)}T12:00:00Z`)
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** Of 12:00 UTC `10/Oct/2026:12:00:00 +0000`. */
export function clfTime(date: Date): string {
  const [year = '', month = '', rest = ''] = date.toISOString().split('-')
  return `${rest.slice(0, 2)}/${months[Number(month) - 1]}/${year}:${rest.slice(3, 11)} +0000`
}

export interface CombinedLine {
  front?: string
  time?: string
  request?: string
  status?: string
  referrer?: string
  agent?: string
  behind?: string
}

/** A line of the combined format: a visit of GPTBot, yesterday at noon, unless said otherwise. */
export function combinedLine(line: CombinedLine = {}): string {
  const { front = '20.171.207.9 - -', time = clfTime(noon(1)), request = 'GET / HTTP/1.1' } = line
  const { status = '200', referrer = '-', agent = gptBot, behind = '' } = line
  return `${front} [${time}] "${request}" ${status} 512 "${referrer}" "${agent}"${behind}`
}

type Given = Partial<Omit<AccessLogOptions, 'projectId' | 'open'>>

/** Imports these bytes, in pieces that fall anywhere. */
export function importBytes(
  stores: ImportStores,
  projectId: string,
  bytes: string | Buffer,
  options: Given = {},
): Promise<AccessLogResult> {
  const format: AccessLogFormat = 'combined'
  const bots = createBotMatcher(builtinBots)
  const open = () => inPieces(Buffer.from(bytes))
  return importAccessLog(stores, { format, host: 'acme.com', bots, ...options, projectId, open })
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer, void> {
  const pieceBytes = bytes.length > 10_000 ? 65_536 : 41
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

/** The hits of a project, in the order of path and time, but for the mark of their import. */
export async function hitsOf(
  { warehouse }: Pick<ImportStores, 'warehouse'>,
  projectId: string,
  columns = '* EXCEPT (project_id, custom_properties)',
): Promise<Raw[]> {
  return run(warehouse, {
    id: 'test.hits',
    sql: `SELECT ${columns} FROM crawler_hits WHERE project_id = {projectId:UUID} ORDER BY path, timestamp`,
    params: { projectId },
    timeoutMs: 60_000,
    row: (raw) => raw,
  })
}

/** How often each path was visited. */
export async function pathsOf(
  stores: Pick<ImportStores, 'warehouse'>,
  projectId: string,
): Promise<string[]> {
  return (await hitsOf(stores, projectId, 'path')).map(({ path }) => String(path))
}
