import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keepRaw } from '../../imports/collected/raw.ts'
import { startRun } from '../../resolvers/collecting/runs.ts'
import { setCollectingCaps } from '../../resolvers/collecting/spending.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { type AskingService, startAskingService } from '../kit/collecting/asking-service.ts'
import {
  familyOf,
  foundIn,
  foundInCatalog,
  foundInFiles,
  foundInProcess,
  foundInWarehouse,
  spellingsOf,
} from '../kit/collecting/secrets.ts'
import { runCli, until } from '../kit/service.ts'

/**
 * The worker of a service is killed while it asks prompts at providers that fail at times. Then all that the service has
 * written is searched for the provider keys. By hand, at full size: COLLECT_PROMPTS=5000.
 */
const promptCount = Number(process.env.COLLECT_PROMPTS ?? 250)
/** With the two of the second test, fewer than the ten quick deaths after which a service gives up. */
const kills = 7
/**
 * What a reply costs, in US dollars: of OpenAI and Anthropic by their tokens, of the others by their own figure. Each is less than what
 * is expected at the price of the model.
 */
const keys = {
  openai: { model: 'gpt-5-mini', cost: 0.01045 },
  perplexity: { model: 'sonar', cost: 0.006 },
  xai: { model: 'grok-4', cost: 0.005 },
  compatible: { model: 'gpt-5-mini', cost: 0.004 },
  /** Two requests, since it pauses its turns. */
  anthropic: { model: 'claude-sonnet-4-5', cost: 0.029 },
} as const
const names = Object.keys(keys) as (keyof typeof keys)[]
const costOfPrompt = 0.05445
const atOnce = 16
const total = promptCount * names.length
/** It has characters that each way to write it changes. */
const secret = `sk-${randomBytes(24).toString('base64url')}+k/1=`
const spellings = spellingsOf(secret)
/** One that is put where the other must not be, to see that it is found there. */
const planted = `sk-planted-${randomBytes(24).toString('base64url')}+k/1=`
const plantedSpellings = spellingsOf(planted)

let asking: AskingService

beforeAll(async () => {
  const models = Object.fromEntries(names.map((name) => [name, keys[name].model]))
  asking = await startAskingService({ models, secret, atOnce, faultsOfThousand: 50 })
})
afterAll(async () => {
  await asking.stopped()
  await asking.remove()
})

/** Processes of the service that were seen, and what their arguments and variables have of the secret. */
const processes = new Set<number>()
const inProcesses = new Set<string>()

function searchProcesses(): void {
  for (const pid of familyOf(asking.service.pid)) {
    processes.add(pid)
    for (const found of foundInProcess(pid, spellings)) inProcesses.add(found)
  }
}

test(`${total} questions with faults are each answered and paid once, after ${kills} kills`, {
  timeout: 3_600_000,
}, async () => {
  const project = await asking.projectOf(promptCount)
  const cost = promptCount * costOfPrompt
  // No room for all that killed workers had under way: 80 questions each, of a cent or more.
  const most = cost + 3
  const caps = { dayCap: most, monthCap: most }
  await setCollectingCaps(asking.stores.db, commandLine, project.id, caps)
  const { id: runId } = await startRun(asking.stores.db, commandLine, project, {})
  const looks = []
  for (let kill = 1; kill <= kills; kill++) {
    await until(async () => (await asking.ended(runId)) >= (total * kill) / (kills + 1), 900_000)
    searchProcesses()
    expect(await asking.spent(project.id)).toBeLessThanOrEqual(most)
    looks.push(
      await asking.killWorker(async () => ({
        kept: await asking.kept(runId),
        asked: (await asking.counts()).asked,
      })),
    )
  }
  await until(() => asking.isOver(runId), 900_000)

  const asks = await asking.stores.db.ask.findMany({ where: { runId } })
  expect(asks).toHaveLength(total)
  expect(asks.filter(({ state, answerId }) => state !== 'answered' || !answerId)).toEqual([])
  expect(new Set(asks.map(({ answerId }) => answerId)).size).toBe(total)
  const ids = asks.map(({ answerId }) => answerId).sort()
  expect(await asking.answers(project.id)).toEqual({ ids, shown: total })

  const { asked, failed } = await asking.counts()
  const ours = new Set(asks.map(({ provider, prompt }) => `${provider} ${prompt}`))
  expect([...ours].filter((name) => !asked[name])).toEqual([])
  expect(failed.length).toBeGreaterThan(total / 40)
  // Most kills come in the middle of questions.
  expect(looks.filter(({ kept }) => kept.length > 0)).toHaveLength(kills)
  const again = looks.flatMap((look) =>
    look.kept
      .flatMap((name) => [name, `${name} again`])
      .filter((name) => asked[name] !== look.asked[name]),
  )
  expect(again).toEqual([])
  const requests = [...ours].reduce((sum, name) => sum + (asked[name] ?? 0), 0)
  expect(requests).toBeLessThanOrEqual(total + failed.length + kills * names.length * atOnce)

  // Each sum is what the replies said: of three providers their own figure, of two their tokens.
  for (const name of names) {
    const own = asks.filter(({ provider }) => provider === name)
    const stored = own.reduce((sum, ask) => sum + (ask.cost ?? 0), 0)
    expect(stored).toBeCloseTo(promptCount * keys[name].cost, 6)
  }
  expect(await asking.spent(project.id)).toBeCloseTo(cost, 6)
})

test('a cap is not passed where workers are killed, and is used up', async () => {
  const project = await asking.projectOf(200)
  // Half of what all questions cost.
  const monthCap = 100 * costOfPrompt
  await setCollectingCaps(asking.stores.db, commandLine, project.id, { monthCap })
  const { id: runId } = await startRun(asking.stores.db, commandLine, project, {})
  for (const reached of [50, 100]) {
    await until(async () => (await asking.ended(runId)) >= reached)
    await asking.killWorker(async () => undefined)
  }
  await until(() => asking.isOver(runId))
  const asks = await asking.stores.db.ask.findMany({ where: { runId } })
  const cost = asks.reduce((sum, ask) => sum + (ask.cost ?? 0), 0)
  expect(cost).toBeLessThanOrEqual(monthCap)
  // What 80 questions reserve beyond their cost may keep others from fitting: about a dollar and a half.
  expect(cost).toBeGreaterThan(monthCap - 2)
  expect(await asking.spent(project.id)).toBeCloseTo(cost, 6)
  expect(asks.filter(({ state }) => state === 'failed').length).toBeGreaterThan(0)
  const answered = asks.filter(({ state }) => state === 'answered').length
  expect((await asking.answers(project.id)).shown).toBe(answered)
})

describe('after all runs, the provider keys', () => {
  const leak = `sent ${planted} by mistake`

  test('are in no row of the stores, and a row with one would be found', async () => {
    searchProcesses()
    const catalog = await foundInCatalog(asking.stores.db, spellings)
    const warehouse = await foundInWarehouse(asking.stores.warehouse, spellings)
    expect([catalog.found, warehouse.found]).toEqual([[], []])
    expect(catalog.tables).toBeGreaterThan(40)
    expect(warehouse.tables).toBeGreaterThan(10)
    const nil = '00000000-0000-4000-8000-000000000000'
    const raw = {
      projectId: nil,
      runId: nil,
      askId: nil,
      askedAt: new Date(),
      prompt: 'planted',
      provider: 'openai' as const,
      platform: 'chatgpt',
      model: 'm',
      repetition: 1,
      place: null,
      adapterVersion: 1,
      body: leak,
      redirects: {},
    }
    await asking.stores.db.workspace.update({
      where: { id: asking.workspaceId },
      data: { name: leak },
    })
    await keepRaw(asking.stores.warehouse, raw)
    expect((await foundInCatalog(asking.stores.db, plantedSpellings)).found).toEqual([
      'public."Workspace"',
    ])
    expect((await foundInWarehouse(asking.stores.warehouse, plantedSpellings)).found).toEqual([
      'raw_answers',
    ])
  })

  test('were in no argument or variable of a process, and one with a key would be found', async () => {
    // All parts, their servers of PostgreSQL, and seven workers.
    expect(processes.size).toBeGreaterThan(12)
    expect([...inProcesses]).toEqual([])
    const env = { PLANTED: Buffer.from(leak).toString('base64') }
    const child = spawn('sleep', ['60'], { env, argv0: leak })
    await once(child, 'spawn')
    const pid = child.pid ?? 0
    expect(familyOf(process.pid)).toContain(pid)
    const found = foundInProcess(pid, plantedSpellings)
    expect(found).toContain(`${pid} cmdline: UTF-8`)
    expect(found.some((one) => one.startsWith(`${pid} environ: base64`))).toBe(true)
    child.kill()
  })

  test('are in no byte of a backup, of the data folder or of the output, and each way to write one is found', async () => {
    const backup = join(asking.folder.parent, 'backup')
    const saved = await runCli(['backup', backup], { env: asking.service.env })
    expect(saved).toMatchObject({ code: 0 })
    const { stdout, stderr } = await asking.stopped()
    for (const text of [...asking.printed, saved.stdout, saved.stderr, stdout, stderr]) {
      expect(foundIn('output', text, spellings)).toEqual([])
    }
    const log = await readFile(join(asking.folder.path, 'logs', 'sightline.log'), 'utf8')
    // The log is there, and says that requests failed.
    expect(log).toContain('"part":"worker"')
    const { files, bytes, found } = foundInFiles(asking.folder.parent, spellings)
    expect(files).toBeGreaterThan(1000)
    expect(bytes).toBeGreaterThan(10_000_000)
    expect(found).toEqual([])
    // The rows of above, in files of PostgreSQL, and each way to write a key in a file of its own.
    const places = ['postgres/base', 'postgres/pg_wal']
    const inFiles = foundInFiles(asking.folder.path, plantedSpellings).found
    expect(places.filter((place) => !inFiles.some((one) => one.includes(place)))).toEqual([])
    for (const [at, { bytes: way }] of spellings.entries()) {
      await writeFile(
        join(asking.folder.path, `planted-${at}`),
        Buffer.concat([Buffer.from('x'), way]),
      )
    }
    const named = foundInFiles(asking.folder.path, spellings).found.map((one) => one.split(': ')[1])
    expect(new Set(named)).toEqual(new Set(spellings.map(({ name }) => name)))
  })
})
