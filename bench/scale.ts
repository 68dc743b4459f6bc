import { deepStrictEqual } from 'node:assert'
import pg from 'pg'
import { run } from '../warehouse/run.ts'
import { fillFacts } from './facts.ts'
import { runByHand } from './reports/beside.ts'
import { byHand } from './reports/by-hand.ts'
import { copyFacts } from './reports/postgres-facts.ts'
import { mergeParts } from './reports/project.ts'
import { median, readReport, say, startBenchService, withQuery } from './service.ts'

/**
 * node bench/scale.ts [DAYS]
 *
 * Measures reports of a large project beside PostgreSQL with the same facts: 40,000 answers, 400,000 citations and some
 * 112,000 mentions a day, for 30 days. PostgreSQL answers the whole question, and gives the same numbers. Its indexes
 * cover each question, its tables are vacuumed, and it sorts in memory. The warehouse has merged its parts. Beside both are
 * the shortest statements by hand to the warehouse. They are the floor: no report can be faster. Medians of six rounds after
 * rounds that warm up. Each round has another order: who comes after PostgreSQL finds the processor's caches full of its rows.
 */
const days = Number(process.argv[2] ?? 30)
const service = await startBenchService()
const { warehouse, projectId: project } = service
const answers = 40_000 * days
await fillFacts(service, 12, { promptCount: 1000, answers, days, cited: 10, sites: 20_000 })
await mergeParts(service)

const postgres = new pg.Client({ connectionString: service.databaseUrl })
await postgres.connect()
await copyFacts(postgres, service)
await postgres.query("SET work_mem = '256MB'")

/** The last day of the facts, also where the run goes on past midnight. */
const [last] = await run<{ day: string }>(warehouse, {
  id: 'bench.last',
  sql: 'SELECT toString(max(day)) AS day FROM answers',
})
let to = last?.day ?? ''
/** Another window each round: what was asked before would come from memory. */
let shorter = 0
/** Rounds that warm up, of each question and of each of three last days: V8 compiles what runs often. */
const warmUps = 20
const firstDay = () =>
  new Date(Date.parse(to) - (days - 1 - shorter) * 86_400_000).toISOString().slice(0, 10)
const inWarehouse = (path: string) => async () => {
  const steps = byHand[path]
  if (!steps) throw new Error(path)
  await runByHand(service, steps, { from: firstDay(), to })
}
const inPostgres = async <Row extends pg.QueryResultRow>(text: string, ...more: unknown[]) =>
  (await postgres.query<Row>(text, [project, firstDay(), to, ...more])).rows

const report = <Report>(path: string): Promise<Report> =>
  readReport(service, withQuery(path, `from=${firstDay()}&to=${to}`), service.key)

const since = (table: string) => `FROM ${table} WHERE project_id = $1 AND day BETWEEN $2 AND $3`
const ofPage = `${since('citations')} AND domain = ANY($4)`

/** Everything that the report says of cited domains. Counts of cells become lists in the reader's own code. */
async function domainsInPostgres() {
  const ranked = await inPostgres<{ domain: string; cited: string; used: string; total: string }>(
    `SELECT domain, count(*) AS cited, sum(first_of_domain) AS used, count(*) OVER () AS total
      ${since('citations')} AND domain <> '' GROUP BY domain ORDER BY cited DESC, domain LIMIT 20`,
  )
  const domains = ranked.map(({ domain }) => domain)
  const [responses] = await inPostgres<{ count: string }>(`SELECT count(*) ${since('answers')}`)
  const pages = await inPostgres<{ domain: string; count: string }>(
    `SELECT domain, count(*) FROM (SELECT DISTINCT domain, url ${ofPage} AND host <> '') AS page GROUP BY domain`,
    domains,
  )
  await inPostgres(
    `SELECT domain, model, content_type, host, max(nullif(registry_type, 'other')), count(*) ${ofPage}
      GROUP BY domain, model, content_type, host`,
    domains,
  )
  const pageCounts = new Map(pages.map(({ domain, count }) => [domain, Number(count)]))
  return ranked.map(({ domain, cited, used, total }) => [
    domain,
    Number(cited),
    Number(used),
    pageCounts.get(domain),
    Math.round((10_000 * Number(used)) / Number(responses?.count)) / 100,
    Number(total),
  ])
}

interface CitedDomains {
  readonly totalSources: number
  readonly sources: readonly {
    readonly domain: string
    readonly totalCitations: number
    readonly frequency: number
    readonly pageCount: number
    readonly usage: number
  }[]
}

interface Brand {
  readonly mentions: number
  readonly responsesWithMention: number
}

interface Day {
  readonly date: string
  readonly totalResponses: number
  readonly responsesWithBrand: number
  readonly totalMentions: number
}

/** Of each question its report, the shortest statements by hand, and PostgreSQL. First and last give the same numbers. */
const questions: Record<
  string,
  [() => Promise<unknown>, () => Promise<unknown>, () => Promise<unknown>]
> = {
  'cited domains': [
    async () => {
      const { sources, totalSources } = await report<CitedDomains>('sources/domains?limit=20')
      return sources.map(({ domain, totalCitations, frequency, pageCount, usage }) => [
        domain,
        totalCitations,
        frequency,
        pageCount,
        usage,
        totalSources,
      ])
    },
    inWarehouse('sources/domains'),
    domainsInPostgres,
  ],
  'share of voice': [
    async () => {
      const { brand, competitors } = await report<{ brand: Brand; competitors: readonly Brand[] }>(
        'share-of-voice',
      )
      const brands = [brand, ...competitors]
      return brands.map((each) => [each.responsesWithMention, each.mentions]).sort()
    },
    inWarehouse('share-of-voice'),
    async () => {
      const rows = await inPostgres<{ count: string; said: string }>(
        `SELECT brand_id, count(*), sum(occurrences) AS said ${since('mentions')} GROUP BY brand_id`,
      )
      return rows.map(({ count, said }) => [Number(count), Number(said)]).sort()
    },
  ],
  'visibility by day': [
    async () => {
      const { history } = await report<{ history: readonly Day[] }>('visibility/history')
      return history.map(({ date, totalResponses, responsesWithBrand, totalMentions }) => [
        date,
        totalResponses,
        responsesWithBrand,
        totalMentions,
      ])
    },
    inWarehouse('visibility/history'),
    async () => {
      const answered = await inPostgres<{ day: string; count: string }>(
        `SELECT day::text, count(*) ${since('answers')} GROUP BY day ORDER BY day`,
      )
      const named = await inPostgres<{ day: string; count: string; said: string }>(
        `SELECT day::text, count(*), sum(occurrences) AS said, sum(rank) ${since('mentions')} AND is_own = 1
          GROUP BY day`,
      )
      const byDay = new Map(named.map((row) => [row.day, row]))
      return answered.map(({ day, count }) => [
        day,
        Number(count),
        Number(byDay.get(day)?.count),
        Number(byDay.get(day)?.said),
      ])
    },
  ],
}

/** Every order of the three ways. */
const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
]

say(`${answers} answers, ${answers * 10} citations, ${days} days`)
for (const [question, ways] of Object.entries(questions)) {
  const times: [number[], number[], number[]] = [[], [], []]
  const lastDay = to
  for (let early = 1; early <= 3; early++) {
    to = new Date(Date.parse(lastDay) - early * 86_400_000).toISOString().slice(0, 10)
    for (shorter = 0; shorter < Math.min(warmUps, days - early - 1); shorter++) {
      for (const ask of ways.slice(0, 2)) await ask()
    }
  }
  to = lastDay
  for (shorter = 0; shorter <= orders.length; shorter++) {
    const found: unknown[] = []
    for (const i of orders[shorter % orders.length] ?? []) {
      const began = performance.now()
      found[i] = await ways[i]?.()
      // The first round warms up.
      if (shorter > 0) times[i]?.push(performance.now() - began)
    }
    deepStrictEqual(found[0], found[2])
  }
  const [ours, hand, theirs] = times.map(median) as [number, number, number]
  say(
    `${question.padEnd(20)} report ${ours.toFixed(0)} ms, by hand ${hand.toFixed(0)}, PostgreSQL ${theirs.toFixed(0)}: ` +
      `PostgreSQL takes ${(theirs / ours).toFixed(1)} times as long, and ${(theirs / hand).toFixed(1)} times what the hand takes`,
  )
}
await postgres.end()
await service.stop()
