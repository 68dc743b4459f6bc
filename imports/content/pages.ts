import { invalid } from '../../core/errors.ts'
import { idOf } from '../../core/ids.ts'
import { contentType } from '../../core/sites/content-types.ts'
import { readText } from '../files/cells.ts'
import { type ColumnRules, csvEntries } from '../files/csv-columns.ts'
import { fieldFlaw } from '../files/flaw.ts'
import { type Expected, hasName, requireLook } from '../files/looks.ts'
import { firstCharacter, peek } from '../files/peek.ts'
import {
  type ImportOptions,
  type ImportResult,
  type ImportStores,
  runCatalogImport,
} from '../loads/runner.ts'
import { pageAddress, pageUrl, slugOf, urlRule } from './page-url.ts'
import { upsert } from './records.sql.ts'
import { loadRecords } from './records.ts'
import { loadSitemap, type OpenBeside } from './sitemap.ts'

/** A page of a CSV file; null for an empty cell. */
interface PageRow {
  readonly url: string
  readonly address: string | null
  readonly slug: string
  readonly type: string | null
  readonly assumedType: string
  readonly title: string | null
  readonly description: string | null
  readonly isTracked: boolean | null
}

const headBytes = 256
const yes = new Set(['true', 'yes', 'y', '1', 'tracked'])
const no = new Set(['false', 'no', 'n', '0', 'untracked'])

function readFlag(cell: string): boolean | null {
  const word = cell.toLowerCase()
  if (word === '') return null
  if (yes.has(word) || no.has(word)) return yes.has(word)
  throw fieldFlaw('tracked', 'must be yes or no', cell)
}

const cellOf = (field: string, cell: string, most: number) =>
  readText(field, cell.replaceAll('\0', '\ufffd'), most) || null

type Column = 'url' | 'type' | 'title' | 'description' | 'tracked'

/** With the column names of site crawlers. */
const rules: ColumnRules<Column, PageRow> = {
  names: {
    url: ['url', 'address', 'loc', 'pageurl', 'page', 'link', 'permalink'],
    type: ['type', 'pagetype'],
    title: ['title', 'pagetitle', 'title1', 'metatitle'],
    description: ['description', 'metadescription', 'metadescription1'],
    tracked: ['tracked', 'istracked', 'monitored'],
  },
  required: ['url'],
  read: (cells) => {
    const url = pageUrl(cells.url)
    if (url === null) throw fieldFlaw('url', urlRule, cells.url)
    const title = cellOf('title', cells.title, 1000)
    return {
      url,
      address: pageAddress(cells.url),
      slug: slugOf(url),
      type: cellOf('type', cells.type, 100),
      assumedType: contentType(url, title),
      title,
      description: cellOf('description', cells.description, 5000),
      isTracked: readFlag(cells.tracked),
    }
  },
}

const expected: Expected = {
  command: 'import pages',
  field: 'content',
  takes: 'CSV with a column `url`, or a sitemap',
  also: (look) => {
    const isTable = look.form === 'csv' || look.form === 'text'
    return isTable && (look.command === null || hasName(look, ...rules.names.url))
  },
}

const statement = upsert({
  name: 'Page',
  key: ['url'],
  columns: {
    id: 'uuid',
    url: 'text',
    address: 'text',
    slug: 'text',
    type: 'text',
    title: 'text',
    description: 'text',
    isTracked: 'boolean',
    updatedAt: 'timestamptz',
  },
  inputs: { assumedType: 'text' },
  kept: {
    address: 'g.url',
    type: 'g."assumedType"',
    title: "''",
    description: "''",
    isTracked: 'true',
  },
  stamped: { updatedAt: 'now()' },
})

export interface PageImport extends ImportOptions {
  /** Name of the file in messages. */
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
  /** Opens a sitemap that a sitemap index names. */
  readonly openBeside?: OpenBeside
}

/**
 * Loads pages to track: from a CSV file, or from a sitemap, which replaces the earlier sitemap. A page that exists, by
 * its URL, takes the values of the file, and keeps its other values.
 * @throws {Fault} `not_found`; `invalid_argument` when the file cannot be read
 */
export function importPages(
  { db, databaseUrl }: Pick<ImportStores, 'db' | 'databaseUrl'>,
  options: PageImport,
): Promise<ImportResult> {
  const { name, bytes, openBeside = async () => undefined, signal } = options
  const recorded = { ...options, kind: 'pages' } as const
  return runCatalogImport(db, recorded, async (run, { id }, importId) => {
    const { head, all } = await peek(bytes, headBytes)
    if (head.length === 0) throw invalid('content', 'is empty')
    requireLook(head, expected)
    if (firstCharacter(head) === '<') {
      const file = { name, bytes: all }
      if (!run.preview)
        await db.import.updateMany({ where: { id: importId }, data: { isSitemap: true } })
      const sitemap = { projectId: id, importId, file, openBeside, signal }
      return loadSitemap(databaseUrl, run, sitemap)
    }
    return loadRecords(run, {
      entries: csvEntries(all, rules, signal),
      keyOf: ({ url }) => url,
      write: (rows) => {
        const records = rows.map((row) => ({ ...row, id: idOf(id, 'page', row.url) }))
        return db.$executeRawUnsafe(statement, id, JSON.stringify(records), importId)
      },
    })
  })
}
