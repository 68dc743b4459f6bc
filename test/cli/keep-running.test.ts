import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Child, startChild } from '../../cli/service/child.ts'
import { keepRunning } from '../../cli/service/keep-running.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-parts-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A part of a service that runs a script and reports each start. */
async function part(script: string, watched: { silenceMs?: number } = {}) {
  const file = join(folder, `${script.length}.mjs`)
  await writeFile(file, `process.send({ type: 'ready' });${script}`)
  const births: number[] = []
  const warnings: string[] = []
  const start = async (): Promise<Child> => {
    births.push(performance.now())
    const log = pino({ level: 'silent' })
    const entry = pathToFileURL(file).href
    const child = startChild({ entry, name: 'The part', stdout: 2, log })
    await child.message('ready')
    return child
  }
  const warn = (message: string) => warnings.push(message)
  const states: string[] = []
  const onState = (state: string) => states.push(state)
  const kept = await keepRunning({ name: 'The part', start, onState, warn, ...watched })
  return { births, warnings, states, kept }
}

test('a part that is killed is started again at once, and stopped for good when asked', async () => {
  const { births, warnings, kept } = await part("process.on('disconnect', () => process.exit(0))")
  const first = kept.current()
  const diedAt = performance.now()
  first?.kill()
  await first?.exited
  await expect.poll(() => births.length).toBe(2)
  expect((births[1] ?? 0) - diedAt).toBeLessThan(500)
  await expect.poll(() => kept.current()?.pid).not.toBe(first?.pid)
  await kept.stop()
  expect(kept.current()).toBeUndefined()
  expect(warnings).toEqual(['The part restarts: it was ended by SIGKILL'])
})

test('a part that dies again and again is given up after ten times, with its last words', async () => {
  const { births, kept } = await part("console.error('no more paper'); process.exit(3)")
  await expect(kept.givenUp).rejects.toThrow(
    'The part died 10 times in a row. The last time it ended with exit code 3\n  no more paper',
  )
  expect(births).toHaveLength(10)
  const pauses = births.slice(1).map((at, index) => at - (births[index] ?? 0))
  // No pause after the first death; then 100, 200, 400, 800 ms, and a second at most.
  expect(pauses[0]).toBeLessThan(pauses[8] ?? 0)
  expect(pauses[8]).toBeGreaterThan(1000)
})

test('a part that does not start the first time is an error with its last words', async () => {
  const file = join(folder, 'broken.mjs')
  await writeFile(file, "console.error('the folder is locked'); process.exit(1)")
  const log = pino({ level: 'silent' })
  const child = startChild({ entry: pathToFileURL(file).href, name: 'The part', stdout: 2, log })
  await expect(child.message('ready')).rejects.toThrow(
    'The part did not start: it ended with exit code 1\n  the folder is locked',
  )
})

const answering = `process.on('message', ({ type }) => {
  if (type === 'ping') process.send({ type: 'pong' })
})`

test.concurrent('a part that is stopped is silent after three seconds, and killed at its limit', async ({
  expect,
}) => {
  const { warnings, states, kept } = await part(answering, { silenceMs: 5000 })
  const first = kept.current()
  process.kill(first?.pid ?? expect.unreachable('no process runs'), 'SIGSTOP')
  await expect.poll(() => states).toEqual(['starting', 'up', 'silent'])
  expect(kept.current()?.pid).toBe(first?.pid)
  await expect.poll(() => states).toEqual(['starting', 'up', 'silent', 'starting', 'up'])
  expect(kept.current()?.pid).not.toBe(first?.pid)
  expect(warnings).toEqual([
    'The part has not answered for 5 s and is killed',
    'The part restarts: it was ended by SIGKILL',
  ])
  kept.kill()
})

test.concurrent('a part that is busy for longer than a question, and answers then, is left alone', async ({
  expect,
}) => {
  const { warnings, states, kept } = await part(answering, { silenceMs: 10_000 })
  const pid = kept.current()?.pid ?? expect.unreachable('no process runs')
  process.kill(pid, 'SIGSTOP')
  await expect.poll(() => states).toEqual(['starting', 'up', 'silent'])
  process.kill(pid, 'SIGCONT')
  await expect.poll(() => states).toEqual(['starting', 'up', 'silent', 'up'])
  expect(kept.current()?.pid).toBe(pid)
  expect(warnings).toEqual([])
  kept.kill()
})

test.concurrent('a loop that blocks the process is killed', async ({ expect }) => {
  // Should this test fail, its process ends all the same.
  const busy = `${answering}
setTimeout(() => { for (const end = Date.now() + 30_000; Date.now() < end; ); process.exit() }, 100)`
  const { warnings, births, kept } = await part(busy, { silenceMs: 2000 })
  await expect.poll(() => births.length).toBe(2)
  expect(warnings[0]).toBe('The part has not answered for 2 s and is killed')
  await expect.poll(() => kept.current()).toBeDefined()
  const second = kept.current()
  kept.kill()
  await second?.exited
})

test('a part whose inspector is open may stand at a breakpoint: nobody waits for its answer', async () => {
  const file = join(folder, 'inspected.mjs')
  const once = "process.once('message', () => process.send({ type: 'pong', isInspected: true }))"
  await writeFile(file, `${once}; process.send({ type: 'ready' })`)
  const log = pino({ level: 'silent' })
  const child = startChild({ entry: pathToFileURL(file).href, name: 'The part', stdout: 2, log })
  await child.message('ready')
  await child.ping()
  await child.ping()
  child.kill()
  await child.exited
})
