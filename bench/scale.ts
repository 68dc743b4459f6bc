import pg from 'pg'
import { run } from '../warehouse/run.ts'
import { fillFacts } from './facts.ts'
import { median, say, startBenchService, withQuery } from './service.ts'

/**
 * node bench/scale.ts [DAYS]
 *
 * Measures reports of a large project beside PostgreSQL with as many facts: 40,000 answers, 400,000 citations and some
 * 112,000 mentions a day, for 30 days. Indexes of PostgreSQL cover each question, and its tables are vacuumed: it reads
 * the indexes alone. Beside both is the shortest statement over the rows of the warehouse, which gives the ranks alone.
 * Medians of five rounds in turn.
 */
const days = Number(process.argv[2] ?? 30)
const service = await startBenchService()
const { warehouse, projectId: project } = service
const answers = 40_000 * days
const sites = 20_000
await fillFacts(service, 12, { promptCount: 1000, answers, days, cited: 10, sites })

const postgres = new pg.Client({ connectionString: service.databaseUrl })
await postgres.connect()
for (const statement of [
  `CREATE TABLE cited (project uuid, day date, domain text, first_of_domain smallint, url text, model text,
     content_type text)`,
  `INSERT INTO cited SELECT '${project}', current_date - (n % ${days})::int, domain, 1,
     'https://' || domain || '/' || floor(exp(ln(400) * random()))::int, 'model-' || n % 5, 'type-' || n % 4
     FROM (SELECT n, 'site' || floor(exp(ln(${sites}) * random()))::int || '.com' AS domain
       FROM generate_series(1, ${answers * 10}) AS n) AS each`,
  'CREATE INDEX ON cited (project, day, domain) INCLUDE (first_of_domain)',
  'CREATE INDEX ON cited (project, day, domain) INCLUDE (url, model, content_type)',
  'CREATE TABLE named (project uuid, day date, brand int, occurrences int, rank int)',
  `INSERT INTO named SELECT '${project}', current_date - (n % ${days})::int, n % 5, 1 + n % 3, 1 + n % 5
     FROM generate_series(1, ${Math.round(answers * 2.8)}) AS n`,
  'CREATE INDEX ON named (project, day, brand) INCLUDE (occurrences, rank)',
  'VACUUM ANALYZE cited',
  'VACUUM ANALYZE named',
]) {
  await postgres.query(statement)
}

const facts = 'project_id = {project:UUID} AND day >= today() - {days:UInt32}'
/** Another window each round: what was asked before would come from memory. */
let shorter = 0
const inRows = (sql: string) => () =>
  run(warehouse, {
    id: 'bench.rows',
    sql: `${sql} SETTINGS optimize_use_projections = 0`,
    params: { project, days: days - 1 - shorter },
    timeoutMs: 60_000,
  })
const inPostgres = (sql: string) => () => postgres.query(sql, [project, days - 1 - shorter])
const report = (path: string) => async () => {
  const query = `days=${days - shorter}`
  const url = `${service.url}/api/mcp/projects/${project}/${withQuery(path, query)}`
  const response = await fetch(url, { headers: { authorization: `Bearer ${service.key}` } })
  if (!response.ok) throw new Error(await response.text())
  await response.arrayBuffer()
}

const citedSince = 'FROM cited WHERE project = $1 AND day >= current_date - $2::int'
const ranking = `SELECT domain, count(*) AS cited, sum(first_of_domain) ${citedSince}
  GROUP BY domain ORDER BY cited DESC, domain LIMIT 20`
const detailsOfPage = [
  `SELECT domain, count(DISTINCT url) ${citedSince} AND domain = ANY($3) GROUP BY domain`,
  `SELECT domain, model, content_type, count(*) ${citedSince} AND domain = ANY($3)
    GROUP BY domain, model, content_type`,
]

const questions = {
  'cited domains': {
    report: report('sources/domains?limit=20'),
    rows: inRows(`SELECT domain, count() AS cited, sum(first_of_domain) FROM citations
      WHERE ${facts} GROUP BY domain ORDER BY cited DESC, domain LIMIT 20`),
    postgres: async () => {
      const { rows } = await inPostgres(ranking)()
      for (const details of detailsOfPage) {
        const domains = rows.map(({ domain }) => domain)
        await postgres.query(details, [project, days - 1 - shorter, domains])
      }
    },
  },
  'share of voice': {
    report: report('share-of-voice'),
    rows: inRows(
      `SELECT brand_id, count(), sum(occurrences) FROM mentions WHERE ${facts} GROUP BY brand_id`,
    ),
    postgres: inPostgres(`SELECT brand, count(*), sum(occurrences) FROM named
      WHERE project = $1 AND day >= current_date - $2::int GROUP BY brand`),
  },
  'visibility by day': {
    report: report('visibility/history'),
    rows: inRows(`SELECT day, count(), sum(occurrences), sum(rank) FROM mentions
      WHERE ${facts} AND is_own = 1 GROUP BY day`),
    postgres: inPostgres(`SELECT day, count(*), sum(occurrences), sum(rank) FROM named
      WHERE project = $1 AND day >= current_date - $2::int AND brand = 0 GROUP BY day`),
  },
} as const

say(`${answers} answers, ${answers * 10} citations, ${days} days`)
for (const [question, ways] of Object.entries(questions)) {
  const times = new Map(Object.keys(ways).map((way) => [way, [] as number[]]))
  for (shorter = 0; shorter < 6; shorter++) {
    for (const [way, ask] of Object.entries(ways)) {
      const began = performance.now()
      await ask()
      // The first round warms up.
      if (shorter > 0) times.get(way)?.push(performance.now() - began)
    }
  }
  const middle = (way: keyof typeof ways) => median(times.get(way) ?? [])
  const [ours, rows, theirs] = [middle('report'), middle('rows'), middle('postgres')]
  say(
    `${question.padEnd(20)} report ${ours.toFixed(0)} ms, rows by hand ${rows.toFixed(0)}, PostgreSQL ${theirs.toFixed(0)}: ` +
      `${(ours / rows).toFixed(2)} of the rows, PostgreSQL takes ${(theirs / ours).toFixed(1)} times as long`,
  )
}
await postgres.end()
await service.stop()
