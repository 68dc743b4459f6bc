import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { importAnswers } from '../../imports/answers/answers.ts'
import { beginLoad, factTables, showLoad } from '../../imports/loads/loads.ts'
import { importLock } from '../../imports/loads/lock.ts'
import { withAdvisoryLock } from '../../prisma/client.ts'
import { migrateWarehouse } from '../../warehouse/migrate.ts'
import { insert, run } from '../../warehouse/run.ts'
import { everything, makeProject, useStores, visibleCounts } from '../kit/imports/imports.ts'
import { isSoak } from '../kit/soak.ts'
import { startTestWarehouse } from '../kit/warehouse.ts'

const stores = useStores()
const { db, databaseUrl, warehouse } = stores

/** Answers that each cite, name and list one thing; `from` and `to` are their numbers. */
function* numbered(from: number, to: number): Generator<string, void> {
  for (let run = from; run < to; run++) {
    yield JSON.stringify({
      prompt: `best speakers of type ${run % 100}?`,
      topic: `Topic ${run % 7}`,
      platform: 'chatgpt',
      run,
      collectedAt: new Date(Date.UTC(2025, run % 2, 1 + (run % 28))),
      location: run % 2 === 0 ? 'Berlin, Germany' : 'Paris, France',
      text: `Acme ${run}`,
      citations: [
        { position: 1, url: `https://example.com/${run}` },
        { position: 2, url: `https://read.example/${run}`, cited: false },
      ],
      searchQueries: [`query ${run}`],
      products: [{ rank: 1, brand: 'Acme', name: `Box ${run}`, price: '1' }],
      ads: [{ advertiser: 'Bolt', title: `Ad ${run}`, url: `https://bolt.io/${run}` }],
    })
  }
}

const times = (answers: number) => ({
  answers,
  citations: answers,
  retrieved_urls: answers,
  mentions: answers,
  fanout_queries: answers,
  product_mentions: answers,
  ad_impressions: answers,
})

/** Answers of a project that are in the warehouse, seen or not. */
async function storedLoads(projectId: string): Promise<[seq: number, answers: number][]> {
  return run(warehouse, {
    id: 'test.stored',
    sql: `SELECT load_seq, count() AS answers FROM answers WHERE project_id = {projectId:UUID}
      GROUP BY load_seq ORDER BY load_seq`,
    params: { projectId },
    row: ({ load_seq, answers }) => [Number(load_seq), Number(answers)],
  })
}

async function* failingAfter(lines: Iterable<string>): AsyncGenerator<string, void> {
  yield* lines
  throw new Error('the disk is gone')
}

test('nothing is seen before the end of an import, and then all of it', async () => {
  const projectId = await makeProject(stores)
  await importAnswers(stores, { projectId, lines: numbered(0, 3) })
  const seen: Promise<object>[] = []
  const progress: number[] = []
  await importAnswers(stores, {
    projectId,
    lines: numbered(0, 1100),
    onProgress: ({ loaded }) => {
      progress.push(loaded)
      // What is asked here may be answered after the end, so the last batch does not count.
      if (loaded < 1097) seen.push(visibleCounts(stores, projectId))
    },
  })
  expect(progress).toEqual([997, 1097])
  expect(await Promise.all(seen)).toEqual([times(3)])
  expect(await visibleCounts(stores, projectId)).toEqual(times(1100))
})

test('an import that fails shows nothing, and the next one gives what one run gives', async () => {
  const [failed, clean] = [await makeProject(stores), await makeProject(stores)]
  const lines = failingAfter(numbered(0, 1100))
  const first = importAnswers(stores, { projectId: failed, lines })
  await expect(first).rejects.toThrow('the disk is gone')
  expect(await visibleCounts(stores, failed)).toEqual(times(0))
  expect(await storedLoads(failed)).toEqual([[1, 1000]])

  const result = await importAnswers(stores, { projectId: failed, lines: numbered(0, 1100) })
  expect(result).toEqual({ read: 1100, loaded: 1100, skipped: 0, rejected: [] })
  await importAnswers(stores, { projectId: clean, lines: numbered(0, 1100) })
  expect(await visibleCounts(stores, failed)).toEqual(await visibleCounts(stores, clean))
  // Swept, not only hidden; and its number stays dead, should a late request of it still arrive.
  await expect.poll(() => storedLoads(failed), { timeout: 150_000 }).toEqual([[2, 1100]])
  expect(await db.project.findUnique({ where: { id: failed } })).toMatchObject({
    visibleLoad: 2,
    lastLoad: 2,
    deadLoads: [1],
  })
})

if (isSoak) {
  test('rows that a cut-off import still sends after its successor are never seen, and swept later', async () => {
    const projectId = await makeProject(stores)
    await beginLoad(db, warehouse, projectId)
    const load = await beginLoad(db, warehouse, projectId)
    const late = { ...(await oneRow(projectId)), load_seq: 1 }
    await insert(warehouse, { table: 'fanout_queries', rows: [late], token: projectId })
    await showLoad(db, load, null)
    expect(await visibleCounts(stores, projectId)).toEqual(times(0))

    // The number stays dead as long as the warehouse has rows of it.
    const readDead = () => db.project.findUniqueOrThrow({ where: { id: projectId } })
    await importAnswers(stores, { projectId, lines: numbered(0, 1) })
    expect(await readDead()).toMatchObject({ visibleLoad: 3, deadLoads: [1] })
    expect(await visibleCounts(stores, projectId)).toEqual(times(1))
    await expect
      .poll(
        async () => {
          await importAnswers(stores, { projectId, lines: [] })
          return (await readDead()).deadLoads
        },
        { interval: 3000, timeout: 150_000 },
      )
      .toEqual([])
    expect(await visibleCounts(stores, projectId)).toEqual(times(1))
  })
}

async function oneRow(projectId: string) {
  const ids = { project_id: projectId, answer_id: projectId, prompt_id: projectId }
  const where = { location_id: projectId, country: '', platform: 'chatgpt', model: '' }
  return { ...ids, ...where, day: '2025-05-01', position: 1, query: 'late' }
}

if (isSoak) {
  test('two imports at the same time load the union, each answer once', async () => {
    const [both, clean] = [await makeProject(stores), await makeProject(stores)]
    const results = await Promise.all([
      importAnswers(stores, { projectId: both, lines: numbered(0, 1100) }),
      importAnswers(stores, { projectId: both, lines: numbered(900, 1300) }),
    ])
    expect(results.reduce((sum, { loaded }) => sum + loaded, 0)).toBe(1300)
    expect(results.reduce((sum, { skipped }) => sum + skipped, 0)).toBe(200)
    await importAnswers(stores, { projectId: clean, lines: numbered(0, 1300) })
    const [one, two] = await Promise.all([everything(stores, both), everything(stores, clean)])
    expect(one.catalog.prompts).toHaveLength(100)
    expect(one.catalog.topics).toHaveLength(7)
    expect(one.catalog.links).toHaveLength(two.catalog.links.length)
    const each = factTables.map(() => 1300)
    expect(one.facts.map((rows) => rows.length)).toEqual(each)
    expect(two.facts.map((rows) => rows.length)).toEqual(each)
  })
}

test('an import that cannot have the project says so', async () => {
  const projectId = await makeProject(stores)
  const attempt = () => importAnswers(stores, { projectId, lines: numbered(0, 1), waitMs: 50 })
  await withAdvisoryLock(
    databaseUrl,
    importLock(projectId),
    async () => {
      await expect(attempt()).rejects.toMatchObject({ code: 'rate_limited', status: 429 })
    },
    { waitMs: 0 },
  )
  expect(await attempt()).toMatchObject({ loaded: 1 })
})

test('a stop ends the reading, and what was read counts', async () => {
  const projectId = await makeProject(stores)
  const stop = new AbortController()
  async function* endless() {
    yield* numbered(0, 1100)
    stop.abort()
    await new Promise(() => undefined)
  }
  const result = await importAnswers(stores, { projectId, lines: endless(), signal: stop.signal })
  expect(result).toEqual({ read: 1100, loaded: 1100, skipped: 0, rejected: [] })
  expect(await visibleCounts(stores, projectId)).toEqual(times(1100))
})

test('a stop before the beginning loads nothing', async () => {
  const projectId = await makeProject(stores)
  const lines = numbered(0, 1)
  const result = await importAnswers(stores, { projectId, lines, signal: AbortSignal.abort() })
  expect(result).toEqual({ read: 0, loaded: 0, skipped: 0, rejected: [] })
})

test('an import whose place another has taken shows nothing', async () => {
  const projectId = await makeProject(stores)
  async function* overtaken() {
    yield* numbered(0, 10)
    await beginLoad(db, warehouse, projectId)
  }
  const attempt = importAnswers(stores, { projectId, lines: overtaken() })
  await expect(attempt).rejects.toMatchObject({ code: 'internal_error', retryable: true })
  expect(await visibleCounts(stores, projectId)).toEqual(times(0))
})

if (isSoak) {
  test('an import that loses its lock shows nothing', async () => {
    const projectId = await makeProject(stores)
    // Other files hold locks of their projects on the same server.
    const lock = createHash('sha256').update(importLock(projectId)).digest().readBigInt64BE()
    async function* cutOff() {
      yield* numbered(0, 1100)
      const ended = await db.$queryRaw`SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory' AND granted
        AND (classid::int8 << 32 | objid::int8) = ${lock} AND database =
        (SELECT oid FROM pg_database WHERE datname = current_database())`
      expect(ended).toHaveLength(1)
      await new Promise((resolve) => setTimeout(resolve, 100))
      yield* numbered(1100, 3100)
    }
    await expect(importAnswers(stores, { projectId, lines: cutOff() })).rejects.toThrow()
    expect(await visibleCounts(stores, projectId)).toEqual(times(0))
    const lines = numbered(0, 100)
    expect(await importAnswers(stores, { projectId, lines })).toMatchObject({ loaded: 100 })
  })
}

if (isSoak) {
  test('one file may span more months than an insert may have partitions', async () => {
    // In the shared warehouse, each statement of other tests would look at these 130 months, and each deletion rewrite them.
    const own = await startTestWarehouse()
    onTestFinished(own.stop)
    await migrateWarehouse(own.warehouse)
    const many = { ...stores, warehouse: own.warehouse }
    const projectId = await makeProject(many)
    const lines = Array.from({ length: 130 }, (_, month) =>
      JSON.stringify({
        prompt: 'best speakers?',
        platform: 'chatgpt',
        collectedAt: new Date(Date.UTC(2010, month, 1)),
        text: 'Acme',
      }),
    )
    expect(await importAnswers(many, { projectId, lines })).toMatchObject({ loaded: 130 })
    expect(await visibleCounts(many, projectId)).toMatchObject({ answers: 130, mentions: 130 })
    const project = await db.project.findUniqueOrThrow({ where: { id: projectId } })
    expect(project.dataAvailableFrom).toEqual(new Date('2010-01-01'))
  })
}
