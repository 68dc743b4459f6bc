import { expect, test } from 'vitest'
import { rulesVersion } from '../../core/text/rules-version.ts'
import { importAnswers } from '../../imports/answers/answers.ts'
import { reanalyze } from '../../imports/answers/reanalyze.ts'
import { beginLoad } from '../../imports/loads/loads.ts'
import { importLock } from '../../imports/loads/lock.ts'
import { withAdvisoryLock } from '../../prisma/client.ts'
import { insert, type Raw, run } from '../../warehouse/run.ts'
import { makeProject, useStores } from '../kit/imports/imports.ts'
import { isSoak } from '../kit/soak.ts'

const stores = useStores()
const { db, databaseUrl, warehouse } = stores

/** Answers over 30 days and 50 prompts, each of which names Acme, every second one Delta, which nobody tracks yet. */
function* numbered(count: number): Generator<string, void> {
  for (let run = 0; run < count; run++) {
    yield JSON.stringify({
      prompt: `best speakers of type ${run % 50}?`,
      platform: run % 3 === 0 ? 'chatgpt' : 'perplexity',
      run,
      collectedAt: new Date(Date.UTC(2025, 0, 20 + (run % 30))),
      text: run % 2 === 0 ? 'Acme is great. Delta is terrible.' : 'Acme is great.',
      ...(run % 5 === 0 ? { sentiment: -0.5 } : {}),
    })
  }
}

const addDelta = (projectId: string) =>
  db.competitor.create({ data: { projectId, name: 'Delta', domain: 'delta.example' } })

/** The mentions that readers see, but for the number of their analysis. */
async function mentionsSeen(projectId: string): Promise<Raw[]> {
  const { visibleLoad, deadLoads, analysis } = await db.project.findUniqueOrThrow({
    where: { id: projectId },
  })
  return run(warehouse, {
    id: 'test.mentions',
    sql: `SELECT * EXCEPT analysis FROM mentions
      WHERE project_id = {projectId:UUID} AND analysis = {analysis:UInt32}
        AND load_seq <= {visibleLoad:UInt32} AND load_seq NOT IN {deadLoads:Array(UInt32)}
      ORDER BY ALL`,
    params: { projectId, analysis, visibleLoad, deadLoads },
    row: (raw) => raw,
  })
}

async function countsSeen(projectId: string): Promise<Record<string, number>> {
  const rows = await mentionsSeen(projectId)
  const brands = Object.groupBy(rows, ({ is_own }) => (is_own === 1 ? 'own' : 'others'))
  return { own: brands.own?.length ?? 0, others: brands.others?.length ?? 0 }
}

/** The analyses that the warehouse has rows of. */
async function storedAnalyses(projectId: string): Promise<number[]> {
  return run(warehouse, {
    id: 'test.analyses',
    sql: 'SELECT DISTINCT analysis FROM mentions WHERE project_id = {projectId:UUID} ORDER BY ALL',
    params: { projectId },
    row: ({ analysis }) => Number(analysis),
  })
}

const readProject = (id: string) => db.project.findUniqueOrThrow({ where: { id } })

test('a new competitor is counted in the answers of before, and everything else stays', async () => {
  const projectId = await makeProject(stores)
  await importAnswers(stores, { projectId, lines: numbered(2100) })
  const before = await mentionsSeen(projectId)
  expect(await countsSeen(projectId)).toEqual({ own: 2100, others: 0 })
  const { id } = await addDelta(projectId)

  const progress: object[] = []
  const result = await reanalyze(stores, { projectId, onProgress: (it) => progress.push(it) })
  expect(result).toEqual({ analysis: 3, answers: 2100, mentions: 3150 })
  expect(progress).toEqual([
    { answers: 2000, total: 2100 },
    { answers: 2100, total: 2100 },
  ])
  const after = await mentionsSeen(projectId)
  expect(after.filter(({ is_own }) => is_own === 1)).toEqual(before)
  const deltas = after.filter(({ is_own }) => is_own === 0)
  expect(deltas).toHaveLength(1050)
  expect(deltas[0]).toMatchObject({ brand_id: id, occurrences: 1, rank: 2, load_seq: 1 })
  const rules = { names_version: rulesVersion.names, tone_version: rulesVersion.tone }
  expect(before[0]).toMatchObject(rules)
  expect(deltas[0]).toMatchObject(rules)
  expect(Number(deltas[0]?.sentiment)).toBeLessThan(-0.4)
  // The line's own word on the brand is kept.
  expect(before.filter(({ sentiment }) => sentiment === -0.5)).toHaveLength(420)
  expect(before.filter(({ sentiment }) => Number(sentiment) >= 0.5)).toHaveLength(1680)
})

if (isSoak) {
  test('whoever reads meanwhile sees the old counts or the new ones, never a mixture', async () => {
    const projectId = await makeProject(stores)
    await importAnswers(stores, { projectId, lines: numbered(2100) })
    await addDelta(projectId)
    const seen: string[] = []
    let isOver = false
    const reader = async () => {
      while (!isOver) seen.push(JSON.stringify(await countsSeen(projectId)))
    }
    const readers = Promise.all([reader(), reader()])
    await reanalyze(stores, { projectId })
    // Old rows outlive the requests that began before the second run.
    await reanalyze(stores, { projectId })
    isOver = true
    await readers
    const [old, anew] = ['{"own":2100,"others":0}', '{"own":2100,"others":1050}']
    seen.push(JSON.stringify(await countsSeen(projectId)))
    expect([...new Set(seen)]).toEqual([old, anew])
  })
}

if (isSoak) {
  test('twice gives the same, and the rows of before go once no request can be reading them', async () => {
    const projectId = await makeProject(stores)
    await importAnswers(stores, { projectId, lines: numbered(100) })
    await addDelta(projectId)
    await reanalyze(stores, { projectId })
    const once = await mentionsSeen(projectId)
    await reanalyze(stores, { projectId })
    expect(await mentionsSeen(projectId)).toEqual(once)
    expect(await storedAnalyses(projectId)).toEqual([1, 3, 4])

    await db.project.update({
      where: { id: projectId },
      data: { updatedAt: new Date(Date.now() - 61_000) },
    })
    await reanalyze(stores, { projectId })
    await expect.poll(() => storedAnalyses(projectId), { timeout: 150_000 }).toEqual([4, 5])
    expect(await mentionsSeen(projectId)).toEqual(once)
  })
}

test('answers that come later are counted beside those of before', async () => {
  const projectId = await makeProject(stores)
  await importAnswers(stores, { projectId, lines: numbered(10) })
  await addDelta(projectId)
  await reanalyze(stores, { projectId })
  expect(await importAnswers(stores, { projectId, lines: numbered(20) })).toMatchObject({
    loaded: 10,
    skipped: 10,
  })
  expect(await countsSeen(projectId)).toEqual({ own: 20, others: 10 })
})

test('answers of a cut-off import are not counted', async () => {
  const projectId = await makeProject(stores)
  async function* failing() {
    yield* numbered(1100)
    throw new Error('the disk is gone')
  }
  await expect(importAnswers(stores, { projectId, lines: failing() })).rejects.toThrow()
  expect(await reanalyze(stores, { projectId })).toMatchObject({ answers: 0, mentions: 0 })
  expect(await countsSeen(projectId)).toEqual({ own: 0, others: 0 })
  await importAnswers(stores, { projectId, lines: numbered(3) })
  expect(await countsSeen(projectId)).toEqual({ own: 3, others: 0 })
})

if (isSoak) {
  test('a run that another overtakes, that is stopped, or that finds the project taken changes nothing', async () => {
    const projectId = await makeProject(stores)
    await importAnswers(stores, { projectId, lines: numbered(2100) })
    await addDelta(projectId)
    let overtaking: Promise<unknown> | undefined
    const overtaken = reanalyze(stores, {
      projectId,
      onProgress: () => {
        overtaking ??= beginLoad(db, warehouse, projectId)
      },
    })
    await expect(overtaken).rejects.toMatchObject({ code: 'internal_error', retryable: true })
    await overtaking

    const stop = new AbortController()
    const onProgress = () => stop.abort()
    const stopped = reanalyze(stores, { projectId, signal: stop.signal, onProgress })
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })

    const lock = importLock(projectId)
    const wait = { waitMs: 0 }
    await withAdvisoryLock(
      databaseUrl,
      lock,
      async () => {
        const busy = reanalyze(stores, { projectId, waitMs: 50 })
        await expect(busy).rejects.toMatchObject({ code: 'rate_limited', status: 429 })
      },
      wait,
    )
    expect(await countsSeen(projectId)).toEqual({ own: 2100, others: 0 })
    expect(await readProject(projectId)).toMatchObject({ analysis: 1 })

    // What the two left behind is not seen either, and goes with the next run.
    await reanalyze(stores, { projectId })
    const { analysis } = await readProject(projectId)
    expect(await countsSeen(projectId)).toEqual({ own: 2100, others: 1050 })
    await expect.poll(() => storedAnalyses(projectId), { timeout: 150_000 }).toEqual([1, analysis])
  })
}

if (isSoak) {
  test('a row that a dead run still sends is never seen', async () => {
    const projectId = await makeProject(stores)
    await importAnswers(stores, { projectId, lines: numbered(1) })
    const [row = {}] = await mentionsSeen(projectId)
    const dead = { ...row, analysis: 3 }
    await insert(warehouse, { table: 'mentions', rows: [dead], token: `${projectId} early` })
    expect(await reanalyze(stores, { projectId })).toEqual({ analysis: 4, answers: 1, mentions: 1 })
    await insert(warehouse, { table: 'mentions', rows: [dead], token: `${projectId} late` })
    expect(await countsSeen(projectId)).toEqual({ own: 1, others: 0 })
    expect(await reanalyze(stores, { projectId })).toMatchObject({ analysis: 5 })
    expect(await countsSeen(projectId)).toEqual({ own: 1, others: 0 })
  })
}

test('there is nothing to count in a project that does not exist', async () => {
  for (const projectId of ['nowhere', '8c1e0b1c-0000-4000-8000-000000000000']) {
    await expect(reanalyze(stores, { projectId })).rejects.toMatchObject({ code: 'not_found' })
  }
})
