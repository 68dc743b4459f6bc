import { expect, test } from 'vitest'
import { builtinBots, createBotMatcher } from '../../core/bots/bots.ts'
import { importAccessLog } from '../../imports/access-log/access-log.ts'
import {
  browser,
  clfTime,
  combinedLine,
  hitsOf,
  importBytes,
  noon,
  pathsOf,
} from '../kit/imports/access-logs.ts'
import { makeProject, useStores } from '../kit/imports/imports.ts'
import { isSoak } from '../kit/soak.ts'

const stores = useStores()
const visit = (path: string, daysAgo = 1) =>
  `${combinedLine({ request: `GET ${path} HTTP/1.1`, time: clfTime(noon(daysAgo)) })}\n`
const visits = (...paths: string[]) => paths.map((path) => visit(path)).join('')
const countOf = (projectId: string) => stores.db.accessLog.count({ where: { projectId } })

test('a log that was read gives nothing a second time, and what was added since', async () => {
  const projectId = await makeProject(stores)
  const log = visits('/a', '/b')
  expect(await importBytes(stores, projectId, log)).toMatchObject({ read: 2, readBefore: 0 })
  expect(await importBytes(stores, projectId, log)).toEqual({
    read: 0,
    kept: 0,
    dropped: {},
    readBefore: 2,
    isUnfinished: false,
  })
  const grown = await importBytes(stores, projectId, log + visits('/c'))
  expect(grown).toMatchObject({ read: 1, kept: 1, readBefore: 2 })
  expect(await pathsOf(stores, projectId)).toEqual(['/a', '/b', '/c'])
  expect(await countOf(projectId)).toBe(1)
})

test('a last line that is still being written waits for its end', async () => {
  const projectId = await makeProject(stores)
  const log = visits('/a', '/b')
  for (const cut of [1, 20, 60, log.length - 3, log.length - 2]) {
    const { isUnfinished } = await importBytes(stores, projectId, log.slice(0, cut))
    expect(isUnfinished, `cut at ${cut}`).toBe(true)
  }
  expect(await importBytes(stores, projectId, log)).toMatchObject({ read: 1, readBefore: 1 })
  expect(await pathsOf(stores, projectId)).toEqual(['/a', '/b'])
})

test('a last line that lacks nothing but its line feed is read, once', async () => {
  const projectId = await makeProject(stores)
  const log = visits('/a', '/b').trimEnd()
  const first = await importBytes(stores, projectId, log)
  expect(first).toMatchObject({ read: 2, kept: 2, isUnfinished: false })
  // What a server writes behind the agent belongs to the line that was read.
  const grown = await importBytes(stores, projectId, `${log} "behind"\n${visits('/c')}`)
  expect(grown).toMatchObject({ read: 1, kept: 1, dropped: {}, readBefore: 2 })
  expect(await pathsOf(stores, projectId)).toEqual(['/a', '/b', '/c'])
})

test('logs that begin alike are told apart, whichever comes first', async () => {
  const projectId = await makeProject(stores)
  const logs = [visits('/a', '/b'), visits('/a', '/c', '/d'), visits('/a')]
  for (const log of logs) await importBytes(stores, projectId, log)
  expect(await countOf(projectId)).toBe(3)
  const again = await Promise.all(
    logs.map((log, i) => importBytes(stores, projectId, log + visits(`/new${i}`))),
  )
  // The last one, of one line, has grown to what could be either: it is the one that had most of it.
  expect(again.map(({ readBefore }) => readBefore)).toEqual([2, 3, 1])
  expect(await countOf(projectId)).toBe(3)
  const paths = ['/a', '/a', '/a', '/b', '/c', '/d', '/new0', '/new1', '/new2']
  expect(await pathsOf(stores, projectId)).toEqual(paths)
})

test('the same log is another in another project, and none in another format', async () => {
  const [one, other] = [await makeProject(stores), await makeProject(stores)]
  const log = visits('/a')
  const wrong = importBytes(stores, one, log, { format: 'cloudfront' })
  await expect(wrong).rejects.toThrow('The file looks like an access log.')
  for (const projectId of [one, other]) {
    expect(await importBytes(stores, projectId, log)).toMatchObject({ kept: 1, readBefore: 0 })
  }
})

if (isSoak) {
  test('two imports of one log at once give each line once', async () => {
    const projectId = await makeProject(stores)
    const log = visits(...Array.from({ length: 30 }, (_, i) => `/${i}`))
    const results = await Promise.all([1, 2, 3].map(() => importBytes(stores, projectId, log)))
    expect(results.map(({ kept }) => kept).sort()).toEqual([0, 0, 30])
    expect(await hitsOf(stores, projectId)).toHaveLength(30)
    expect(await countOf(projectId)).toBe(1)
  })
}

/** A log of some 6 MB in `whole`; its stream stays silent behind the middle of it until `end`. */
function livingLog() {
  const line = `${combinedLine({ agent: browser })}\n`
  const whole = Buffer.from(visit('/first') + line.repeat(45_000) + visit('/last'))
  const silence = Promise.withResolvers<void>()
  async function* open() {
    yield whole.subarray(0, 5_000_000)
    await silence.promise
  }
  return { whole, open, end: () => silence.resolve() }
}

if (isSoak) {
  test('a stop ends the reading, and the next import goes on; meanwhile no other reads the log', async () => {
    const projectId = await makeProject(stores)
    const log = livingLog()
    const stop = new AbortController()
    const began = Promise.withResolvers<void>()
    const bots = createBotMatcher(builtinBots)
    const first = importAccessLog(stores, {
      projectId,
      format: 'combined',
      host: 'acme.com',
      bots,
      open: log.open,
      signal: stop.signal,
      onProgress: () => began.resolve(),
    })
    await began.promise
    const second = importBytes(stores, projectId, log.whole, { waitMs: 0 })
    await expect(second).rejects.toMatchObject({ code: 'rate_limited' })
    stop.abort()
    const { read, kept, isUnfinished } = await first
    log.end()
    expect({ kept, isUnfinished }).toEqual({ kept: 1, isUnfinished: false })
    expect(await importBytes(stores, projectId, log.whole)).toMatchObject({
      read: 45_002 - read,
      kept: 1,
      readBefore: read,
    })
    expect(await pathsOf(stores, projectId)).toEqual(['/first', '/last'])
  })
}

if (isSoak) {
  test('one that is stopped while it looks for its place changes nothing', async () => {
    const projectId = await makeProject(stores)
    const { whole } = livingLog()
    await importBytes(stores, projectId, whole)
    const stop = new AbortController()
    let opened = 0
    async function* open() {
      // As with standard input.
      if (++opened > 1) throw new Error('It can be read once.')
      yield whole.subarray(0, 5_000_000)
      stop.abort()
      yield whole.subarray(5_000_000)
    }
    const bots = createBotMatcher(builtinBots)
    const options = { projectId, format: 'combined', host: 'acme.com', bots, open } as const
    const result = await importAccessLog(stores, { ...options, signal: stop.signal })
    expect(result).toMatchObject({ read: 0, readBefore: 0 })
    expect(await countOf(projectId)).toBe(1)
    expect(await pathsOf(stores, projectId)).toEqual(['/first', '/last'])
  })
}

if (isSoak) {
  test('hits of several months are each where they belong', async () => {
    const projectId = await makeProject(stores)
    const days = [1, 40, 80, 120, 390]
    const log = days.map((daysAgo) => visit(`/${daysAgo}`, daysAgo)).join('')
    expect(await importBytes(stores, projectId, log)).toMatchObject({ kept: 5 })
    const found = await hitsOf(stores, projectId, 'path, toString(day) AS day')
    const expected = days.map((daysAgo) => {
      return { path: `/${daysAgo}`, day: noon(daysAgo).toISOString().slice(0, 10) }
    })
    expect(found).toEqual(expected.sort((a, b) => (a.path < b.path ? -1 : 1)))
  })
}

test.each(['00000000-0000-4000-8000-000000000000', 'x'])('there is no project %s', async (id) => {
  await expect(importBytes(stores, id, visits('/a'))).rejects.toThrow('no project')
})
