import type { Catalog } from '../../prisma/client.ts'
import { readDay, readNumber } from '../files/cells.ts'
import { type ColumnRules, csvEntries } from '../files/csv-columns.ts'
import { fieldFlaw } from '../files/flaw.ts'
import { type Expected, hasName, requireLook } from '../files/looks.ts'
import { peek } from '../files/peek.ts'
import { type ImportOptions, type ImportResult, runCatalogImport } from '../loads/runner.ts'
import { upsert } from './records.sql.ts'
import { loadRecords } from './records.ts'

interface Measurement {
  readonly date: string
  readonly score: number
  readonly backlinks: number
  readonly referringDomains: number
}

type Column = keyof Measurement

/** Removes the separators of grouped digits, as in 1,200 and 1 200. */
const ungrouped = (cell: string) => cell.replace(/(?<=\d)[,\s'’](?=\d{3}(?!\d))/gu, '')

function readScore(cell: string): number {
  const score = readNumber('score', cell)
  if (score > 100) throw fieldFlaw('score', 'must be a number from 0 to 100', score)
  return score
}

function readLinks(column: Column, cell: string): number {
  const links = readNumber(column, ungrouped(cell))
  if (!Number.isSafeInteger(links)) throw fieldFlaw(column, 'must be a whole number from 0', cell)
  return links
}

/** With the column names of Moz, Ahrefs, Semrush and Majestic. */
const rules: ColumnRules<Column, Measurement> = {
  names: {
    date: ['date', 'day', 'checkedat', 'measuredat', 'time'],
    score: ['score', 'domainauthority', 'da', 'domainrating', 'dr', 'authorityscore', 'trustflow'],
    backlinks: ['backlinks', 'totalbacklinks', 'externalbacklinks', 'inboundlinks', 'links'],
    referringDomains: [
      'referringdomains',
      'refdomains',
      'referringrootdomains',
      'linkingdomains',
      'linkingrootdomains',
      'rootdomains',
      'rd',
    ],
  },
  required: ['date', 'score', 'backlinks', 'referringDomains'],
  read: ({ date, score, backlinks, referringDomains }) => ({
    date: readDay('date', date),
    score: readScore(score),
    backlinks: readLinks('backlinks', backlinks),
    referringDomains: readLinks('referringDomains', referringDomains),
  }),
}

const expected: Expected = {
  command: 'import domain-authority',
  field: 'csv',
  takes: 'CSV with the columns date, score, backlinks and referring domains',
  also: (look) => look.form === 'csv' && hasName(look, 'date', ...rules.names.score),
}

const statement = upsert({
  name: 'DomainAuthority',
  key: ['date'],
  columns: { date: 'date', score: 'float8', backlinks: 'bigint', referringDomains: 'bigint' },
})

/**
 * Loads measurements of a domain's authority from a CSV file, one a day. A measurement replaces the one of the same day.
 * @throws {Fault} `not_found`; `invalid_argument` when the file is not valid CSV, or lacks a column
 */
export function importDomainAuthority(
  db: Catalog,
  options: ImportOptions & { readonly bytes: AsyncIterable<Uint8Array> },
): Promise<ImportResult> {
  const recorded = { ...options, kind: 'domain_authority' } as const
  return runCatalogImport(db, recorded, async (run, { id }, importId) => {
    const { head, all } = await peek(options.bytes, 1, options.signal)
    requireLook(head, expected)
    return loadRecords(run, {
      entries: csvEntries(all, rules, options.signal),
      keyOf: ({ date }) => date,
      write: (rows) => {
        for (const { date } of rows) run.loadedDays.add(date)
        return db.$executeRawUnsafe(statement, id, JSON.stringify(rows), importId)
      },
    })
  })
}
