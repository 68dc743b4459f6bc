import { run } from '../../warehouse/run.ts'
import type { BenchService } from '../service.ts'
import type { Days } from './project.ts'

/**
 * The shortest statements that count the figures of a report, by its path. They are written for one project, without
 * filters, and without keys that the page does not show. The statements of a step run at once. Those of a second step
 * get the first column of the first one as `{names}`.
 */
type Steps = readonly (readonly string[])[]

const where = 'WHERE project_id = {project:UUID} AND day BETWEEN {from:Date} AND {to:Date}'

const answered = (key: string) => `SELECT ${key}, count() FROM answers ${where} GROUP BY ${key}`
const named = (key: string) => `SELECT ${key}, count(), sum(occurrences), sum(rank)
  FROM mentions ${where} AND is_own = 1 GROUP BY ${key}`
const cited = `SELECT platform, count(), uniqExact(domain), countIf(domain = 'sony.com')
  FROM citations ${where} GROUP BY platform WITH ROLLUP`
const rated = (
  key: string,
) => `SELECT ${key}, sum(sentiment), countIf(sentiment > 0.2), countIf(sentiment < -0.2)
  FROM mentions ${where} AND is_own = 1 GROUP BY ${key}`
const rivals = "('bose.com', 'jbl.com', 'samsung.com', 'apple.com')"

const pagesOf = (narrowed: string): Steps => [
  [
    `SELECT url, count() AS cited FROM citations ${where} ${narrowed} GROUP BY url ORDER BY cited DESC, url LIMIT 20`,
    `SELECT count() FROM answers ${where}`,
  ],
  [
    `SELECT url, any(domain), argMax((title, content_type), day), max(answer_id IN (
        SELECT answer_id FROM mentions ${where} AND day > {to:Date} - 28 AND is_own = 1))
       FROM citations ${where} AND day > {to:Date} - 28 ${narrowed} AND url IN {names:Array(String)} GROUP BY url`,
  ],
]

const newest = `SELECT toString(id), platform, model, collected_at FROM answers ${where}
  ORDER BY collected_at DESC, id LIMIT 50`
const parts = (table: string, columns: string) =>
  `SELECT answer_id, ${columns} FROM ${table} ${where} AND answer_id IN {names:Array(UUID)}`

const crawls = `FROM crawler_hits ${where} AND bot_id > 0`

export const byHand: Readonly<Record<string, Steps>> = {
  visibility: [[answered('platform, day'), named('platform, day'), cited]],
  'visibility/history': [[answered('day'), named('day')]],
  'visibility/prompts': [[answered('prompt_id'), named('prompt_id')]],
  'visibility/locations': [[answered('location_id'), named('location_id')]],
  'visibility/platforms': [[answered('platform'), named('platform'), cited]],
  'share-of-voice': [
    [`SELECT brand_id, count(), sum(occurrences) FROM mentions ${where} GROUP BY brand_id`],
  ],
  competitors: [
    [
      `SELECT brand_id, count(), sum(occurrences), sum(rank) FROM mentions ${where} GROUP BY brand_id`,
      `SELECT domain, count() FROM citations ${where} AND domain IN ${rivals} GROUP BY domain`,
      `SELECT count() FROM answers ${where}`,
    ],
  ],
  sentiment: [[rated("''")]],
  'sentiment/history': [[rated('day')]],
  'sentiment/competitors': [
    [
      `SELECT brand_id, sum(sentiment), countIf(sentiment > 0.2), countIf(sentiment < -0.2)
         FROM mentions ${where} GROUP BY brand_id`,
    ],
  ],
  answers: [
    [newest, `SELECT count() FROM answers ${where}`],
    [
      `SELECT id, text FROM answers ${where} AND id IN {names:Array(UUID)}`,
      parts('citations', 'url, domain, title, position'),
      parts('mentions', 'brand_id, occurrences, rank, sentiment'),
    ],
  ],
  'sources/domains': [
    [
      `SELECT toString(domain), count() AS cited, sum(first_of_domain) FROM citations ${where}
        GROUP BY domain ORDER BY cited DESC, domain LIMIT 20`,
      `SELECT count() FROM answers ${where}`,
    ],
    [
      `SELECT domain, model, content_type, host, count(), max(registry_type)
         FROM citations ${where} AND domain IN {names:Array(String)} GROUP BY domain, model, content_type, host`,
      `SELECT domain, uniqExact(cityHash64(url)) FROM citations ${where} AND domain IN {names:Array(String)}
        GROUP BY domain`,
    ],
  ],
  'sources/domains/site1.com/urls': pagesOf("AND domain = 'site1.com'"),
  'sources/urls': pagesOf(''),
  'sources/content-types': [
    [
      `SELECT content_type, count(), uniqExact(prompt_id), sum(first_of_type) FROM citations ${where} GROUP BY content_type`,
      `SELECT content_type, domain, count() FROM citations ${where} AND domain IN ${rivals} GROUP BY content_type, domain`,
      `SELECT count() FROM answers ${where}`,
    ],
  ],
  'sources/trend': [
    [
      `SELECT day, count() FROM citations ${where} AND domain IN (
         SELECT domain FROM citations ${where} GROUP BY domain ORDER BY count() DESC, domain LIMIT 10) GROUP BY day`,
    ],
  ],
  'traffic/overview': [
    [
      `SELECT platform, bot_category, bot_id, bot_name, bot_vendor, count() ${crawls} GROUP BY ALL`,
      `SELECT path, count() AS crawls ${crawls} GROUP BY path ORDER BY crawls DESC, path LIMIT 10`,
    ],
  ],
  'traffic/bots': [
    [
      `SELECT bot_id, any(bot_name), any(bot_vendor), any(bot_category), count(), uniqExact(cityHash64(path)),
              min(timestamp), max(timestamp) ${crawls} GROUP BY bot_id`,
    ],
  ],
  'traffic/logs': [
    [
      `SELECT timestamp, method, host, path, status_code, response_time_ms, bot_name, bot_vendor, bot_category,
              country, referrer_domain ${crawls} ORDER BY project_id DESC, day DESC, timestamp DESC LIMIT 25`,
      `SELECT count() ${crawls}`,
    ],
  ],
}

/** Runs the statements of a report over a window. */
export async function runByHand(
  { warehouse, projectId: project }: BenchService,
  steps: Steps,
  { from, to }: Days,
): Promise<void> {
  let names: unknown[] = []
  for (const step of steps) {
    const found = await Promise.all(
      step.map((sql) =>
        run<Record<string, unknown>>(warehouse, {
          id: 'bench.by_hand',
          sql,
          params: { project, from, to, ...(sql.includes('{names:') && { names }) },
          timeoutMs: 60_000,
        }),
      ),
    )
    names = (found[0] ?? []).map((row) => Object.values(row)[0])
  }
}
