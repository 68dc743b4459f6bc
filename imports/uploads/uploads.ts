import { builtinBots, createBotMatcher } from '../../core/bots/bots.ts'
import { Fault, invalid } from '../../core/errors.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import {
  importAccessLog,
  type LogLink,
  previewAccessLog,
  sourceOf,
} from '../access-log/access-log.ts'
import { importSearchConsole } from '../analytics/search-console.ts'
import { importWebAnalytics } from '../analytics/web-analytics.ts'
import { importAnswersFile } from '../answers/answers.ts'
import { importArticles } from '../content/articles.ts'
import { importDomainAuthority } from '../content/domain-authority.ts'
import { importPageContents } from '../content/page-contents.ts'
import { importPages } from '../content/pages.ts'
import { type Look, lookOf } from '../files/looks.ts'
import { Preview } from '../loads/preview.ts'
import type { ImportStores, RejectedLine } from '../loads/runner.ts'
import { previewPromptsCsv } from '../prompts/prompts.ts'
import { type FileKind, logFormatOf, recognised } from './kinds.ts'
import { columnsOf, type PreviewTable } from './table.ts'

/** A file that somebody dropped, whole or its beginning. */
export interface Upload {
  readonly projectId: string
  readonly bytes: Uint8Array
  /** Of the file; absent where nobody knows it. */
  readonly file?: string | null | undefined
  readonly waitMs?: number
  /** Links the project to the logs of its site; absent for a preview. */
  readonly linkLogs?: (kind: 'log' | 'cdn') => Promise<LogLink>
}

/** What an import read and loaded. */
export interface UploadResult {
  /** In the list of imports. */
  readonly importId: string | null
  readonly read: number
  readonly loaded: number
  readonly skipped: number
  readonly rejected: readonly RejectedLine[]
  readonly leftOut: readonly RejectedLine[]
}

const pieceBytes = 64 * 1024

/** Other requests run between two pieces. */
async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

/** @throws {Fault} `invalid_argument` for a file without content */
function requireContent(bytes: Uint8Array): Look {
  const look = lookOf(bytes.subarray(0, pieceBytes))
  if (look === null) throw invalid('content', 'is empty: the file has no line')
  return look
}

function logOptions({ projectId, bytes }: Upload) {
  const format = logFormatOf(requireContent(bytes), bytes.subarray(0, pieceBytes))
  if (!format) {
    throw invalid(
      'content',
      'is no access log of Apache, nginx, Caddy, IIS, Cloudflare, CloudFront, Fastly or an AWS load balancer',
    )
  }
  return { projectId, format, bots: createBotMatcher(builtinBots), open: () => pieces(bytes) }
}

/**
 * Imports a file by its kind, as the import of that kind does.
 * @param preview reads the first entries, and nothing is written
 * @throws {Fault} those of the import
 */
async function run(
  stores: ImportStores,
  actor: Actor,
  kind: Exclude<FileKind, 'prompts'>,
  upload: Upload,
  preview?: Preview,
): Promise<UploadResult> {
  const { projectId, bytes, file = null, waitMs } = upload
  let importId: string | null = null
  const options = {
    projectId,
    actor,
    file,
    preview,
    ...(waitMs !== undefined && { waitMs }),
    onBegun: (id: string) => {
      importId = id
    },
  }
  const withBytes = { ...options, bytes: pieces(bytes) }
  const none = { skipped: 0, leftOut: [] as readonly RejectedLine[] }
  const load = async () => {
    switch (kind) {
      case 'answers':
        return importAnswersFile(stores, withBytes)
      case 'search_console':
        return importSearchConsole(stores, actor, withBytes)
      case 'web_analytics':
        return importWebAnalytics(stores, actor, withBytes)
      case 'pages':
        return importPages(stores, { ...withBytes, name: file ?? 'the sitemap' })
      case 'page_contents':
        return importPageContents(stores, withBytes)
      case 'domain_authority':
        return importDomainAuthority(stores.db, withBytes)
      case 'articles': {
        const files = [{ name: null, open: () => pieces(bytes) }]
        return importArticles(stores.db, { ...options, files })
      }
      case 'access_log': {
        const log = logOptions(upload)
        const { linkLogs } = upload
        if (preview || !linkLogs) {
          if (preview) await previewAccessLog(log, preview)
          return { read: 0, loaded: 0, rejected: [] }
        }
        const host = () => linkLogs(sourceOf(log.format))
        const { read, kept } = await importAccessLog(stores, { ...log, ...options, host })
        return { read, loaded: kept, skipped: read - kept, rejected: [] }
      }
    }
  }
  const result = await load()
  return { ...none, ...result, importId }
}

/** @throws {Fault} those of the import of the kind; then nothing has changed */
export const importUpload = run

/** What an import of a file would read. */
export interface UploadPreview extends PreviewTable {
  readonly kind: FileKind | null
  readonly candidates: readonly FileKind[]
  readonly read: number
  /** Entries that the import would read as rows. */
  readonly accepted: number
  readonly rejected: readonly RejectedLine[]
  /** Whether the file has more than was read. */
  readonly isCut: boolean
  /** Why the file cannot be read as this kind; null where it can. */
  readonly problem: string | null
}

const mostRead = 200
const mostShown = 20

const nothing = { columns: [], lines: [], read: 0, accepted: 0, rejected: [], isCut: false }

async function previewOf(
  stores: ImportStores,
  actor: Actor,
  kind: FileKind,
  upload: Upload,
): Promise<Omit<UploadPreview, 'kind' | 'candidates' | 'problem'>> {
  if (kind === 'prompts') {
    const { projectId, bytes } = upload
    const file = { projectId, csv: pieces(bytes) }
    const { lines, read, rejected } = await previewPromptsCsv(stores.db, file, mostRead)
    const entries = lines.map(({ line, ...row }) => ({ line, row }))
    const table = columnsOf(kind, entries.slice(0, mostShown))
    const accepted = read - rejected.length
    return { ...table, read, accepted, rejected, isCut: read > mostRead }
  }
  const preview = new Preview(mostRead)
  await run(stores, actor, kind, upload, preview)
  const { entries, read, accepted, rejected, isCut } = preview
  const table = columnsOf(kind, entries.slice(0, mostShown))
  return { ...table, read, accepted, rejected, isCut }
}

/** Why no import reads a file; null for one that some import may read. */
function unreadableIn(bytes: Uint8Array, { form }: Look): string | null {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (form === 'zip') {
    return data.includes('xl/workbook.xml')
      ? 'This is an Excel workbook. Save its sheet as CSV (UTF-8), and choose that file.'
      : null
  }
  const isText =
    !data.subarray(0, pieceBytes).includes(0) && !/^%PDF-/.test(data.toString('latin1', 0, 5))
  return isText
    ? null
    : 'This is neither text nor a ZIP archive. Export the data as CSV or JSON, and choose that file.'
}

/**
 * Says what a file is, and shows its first rows as an import would read them. Writes nothing.
 * @param kind what somebody said that the file is
 * @throws {Fault} `invalid_argument` for an empty file; `not_found`
 */
export async function previewUpload(
  stores: ImportStores,
  actor: Actor,
  upload: Upload,
  kind?: FileKind | null,
): Promise<UploadPreview> {
  const look = requireContent(upload.bytes)
  const unreadable = unreadableIn(upload.bytes, look)
  if (unreadable) return { kind: null, candidates: [], problem: unreadable, ...nothing }
  const found = recognised(look, upload.bytes.subarray(0, pieceBytes))
  const chosen = kind ?? found.kind ?? (found.candidates.length === 1 ? found.candidates[0] : null)
  // Of an archive, its files say what it is: the first kind that can read them.
  const tried = chosen ? [chosen] : look.form === 'zip' ? found.candidates : []
  let problem: string | null = null
  for (const each of tried) {
    try {
      const shown = await previewOf(stores, actor, each, upload)
      return { kind: each, candidates: found.candidates, problem: null, ...shown }
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'invalid_argument') throw error
      problem = error.message
    }
  }
  return { kind: chosen ?? null, candidates: found.candidates, problem, ...nothing }
}
