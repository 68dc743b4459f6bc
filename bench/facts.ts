import { command } from '../warehouse/run.ts'
import type { BenchService } from './service.ts'

/** Answers of one insert: more need more memory than the engine has for a statement. */
const atOnce = 40_000

/**
 * A rank up to `most` from a hash. Few ranks have most of the draws, as with cited sites. 2,790 citations of real answers
 * had 699 hosts and 1,912 pages. As many draws from 2,000 ranks give some 800.
 */
const rankOf = (hash: string, most: number) => `toUInt32(exp(log(${most}) * ${hash} / pow(2, 64)))`

/**
 * Fills the project with 200,000 answers in 365 days, a million citations and 560,000 mentions, or with other numbers.
 * Prompts are dealt to topics in turn. An answer names up to five brands, and cites as many sites as `cited` says.
 */
export async function fillFacts(
  { db, warehouse, projectId: project }: BenchService,
  topicCount: number,
  {
    promptCount = 5 * topicCount,
    competitorCount = 4,
    answers = 200_000,
    days = 365,
    cited = 5,
    sites = 2000,
  } = {},
) {
  const names = ['Bose', 'JBL', 'Samsung', 'Apple']
  const competitors = await Promise.all(
    Array.from({ length: competitorCount }, (_, i) => names[i] ?? `Brand ${i}`).map((name) =>
      db.competitor.create({
        data: { projectId: project, name, domain: `${name.toLowerCase().replace(' ', '-')}.com` },
      }),
    ),
  )
  const topics = await Promise.all(
    Array.from({ length: topicCount }, (_, i) =>
      db.topic.create({ data: { projectId: project, name: `Topic ${i}` } }),
    ),
  )
  const prompts = await db.prompt.createManyAndReturn({
    data: Array.from({ length: promptCount }, (_, i) => ({
      projectId: project,
      text: `Prompt ${i}`,
    })),
    select: { id: true },
  })
  await db.promptTopic.createMany({
    data: prompts.map(({ id }, i) => ({ promptId: id, topicId: topics[i % topicCount]?.id ?? '' })),
  })

  const locations = await db.location.createManyAndReturn({
    data: ['US', 'DE', 'GB'].map((countryCode) => ({
      projectId: project,
      label: countryCode,
      countryCode,
    })),
    select: { id: true },
  })

  /** Columns of every fact table, for the answer with the number `n`. */
  const common = `
    {project:UUID} AS project_id, today() - (n % ${days}) AS day,
    {prompts:Array(UUID)}[1 + n % ${promptCount}] AS prompt_id,
    ['chatgpt', 'perplexity', 'gemini', 'claude', 'copilot'][1 + n % 5] AS platform,
    concat(platform, '-1') AS model, ['US', 'DE', 'GB'][1 + n % 3] AS country,
    {locations:Array(UUID)}[1 + n % 3] AS location_id, 1 AS load_seq`
  const id = 'toUUID(UUIDNumToString(sipHash128(n)))'

  /** Fills a table from `rows`: column `n` is the answer, `k` the row within the answer. */
  async function fill(table: string, columns: Record<string, string>, rows: string): Promise<void> {
    for (let from = 0; from < answers; from += atOnce) await fillSome(table, columns, rows, from)
  }

  async function fillSome(
    table: string,
    columns: Record<string, string>,
    rows: string,
    from: number,
  ): Promise<void> {
    const names = Object.keys(columns).join(', ')
    const values = Object.entries(columns).map(([name, value]) => `${value} AS ${name}`)
    await command(warehouse, {
      id: `bench.${table}`,
      sql: `INSERT INTO ${table}
          (project_id, day, prompt_id, platform, model, country, location_id, load_seq, ${names})
        SELECT ${common}, ${values.join(', ')} FROM (${rows})`,
      params: {
        project,
        prompts: prompts.map((prompt) => prompt.id),
        locations: locations.map((location) => location.id),
        brands: [project, ...competitors.map((competitor) => competitor.id)],
        from,
        answers: Math.min(atOnce, answers - from),
      },
      timeoutMs: 600_000,
    })
  }

  const rowsOfAnswers = (times: number) =>
    `SELECT intDiv(number, ${times}) AS n, number % ${times} AS k 
      FROM numbers({from:UInt64} * ${times}, {answers:UInt64} * ${times})`
  await fill(
    'answers',
    {
      id,
      run: '1',
      collected_at: "toDateTime64(day, 3, 'UTC')",
      text: "repeat('Sony and Bose are named here. ', 60)",
    },
    'SELECT number AS n FROM numbers({from:UInt64}, {answers:UInt64})',
  )
  await fill(
    'citations',
    {
      answer_id: id,
      position: 'k',
      domain: `concat('site', toString(${rankOf('sipHash64(n, k)', sites)}), '.com')`,
      host: 'domain',
      url: `concat('https://', domain, '/', toString(${rankOf('sipHash64(k, n)', 400)}))`,
      title: "'A title'",
      registry_type: "'editorial'",
      content_type: "['article', 'listicle', 'product', 'review'][1 + k % 4]",
      first_of_domain: '1',
      first_of_type: 'k < 4',
      loaded_at: 'now()',
    },
    rowsOfAnswers(cited),
  )
  await fill(
    'mentions',
    {
      analysis: '1',
      answer_id: id,
      brand_id: `{brands:Array(UUID)}[1 + if(k = 0, 0, 1 + (k - 1 + n) % ${competitorCount})]`,
      is_own: 'k = 0',
      occurrences: '1 + n % 3',
      rank: '1 + (k + n) % 5',
      sentiment: '((n + k) % 21 - 10) / 10',
    },
    `${rowsOfAnswers(5)} WHERE sipHash64(n, k, 7) % 100 < 56`,
  )
  await db.project.update({ where: { id: project }, data: { visibleLoad: 1, lastLoad: 1 } })
  return { competitors, prompts }
}

const hits = 1_000_000

/** A million hits in 365 days, of forty crawlers on about twenty thousand paths. A few of each have most of the hits. */
export async function fillHits({ db, warehouse, projectId: project }: BenchService): Promise<void> {
  await db.connection.create({ data: { projectId: project, kind: 'tracker' } })
  // At once, they and their sums by day would take more memory than the engine has.
  for (let from = 0; from < hits; from += hits / 10) await fillHitsFrom(from)

  async function fillHitsFrom(from: number) {
    await command(warehouse, {
      id: 'bench.crawler_hits',
      sql: `INSERT INTO crawler_hits
          (project_id, timestamp, source, event_name, bot_id, bot_name, bot_vendor, bot_category, platform,
           method, host, path, status_code, response_time_ms, user_agent, ip_address, country)
        SELECT {project:UUID}, now64(3) - toIntervalSecond(sipHash64(number) % (365 * 86400)), 'tracker',
               'server_request', 1 + toUInt16(40 * pow(sipHash64(number, 1) / pow(2, 64), 2)) AS bot,
               concat('Bot ', toString(bot)), concat('Vendor ', toString(bot % 12)),
               ['ai_training', 'ai_search', 'ai_assistant', 'ai_agent', 'search_engine'][1 + bot % 5],
               concat('platform_', toString(bot % 14)), 'GET', ['www.sony.com', 'store.sony.com'][1 + number % 2],
               concat('/page/', toString(toUInt32(exp(log(20000) * sipHash64(number, 2) / pow(2, 64))))),
               200, sipHash64(number, 3) % 500, concat('Mozilla/5.0 (compatible; Bot ', toString(bot), ')'),
               concat('192.0.', toString(number % 256), '.0'), 'US'
          FROM numbers({from:UInt64}, {hits:UInt64})`,
      params: { project, from, hits: hits / 10 },
      timeoutMs: 600_000,
    })
  }
}
