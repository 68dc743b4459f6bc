import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testWorkspace, useApi } from '../../kit/api.ts'
import { faultsOf, hangMs } from '../../kit/fuzz/answers.ts'
import { graphRequest, rootFields } from '../../kit/fuzz/graph-requests.ts'
import { Random } from '../../kit/fuzz/random.ts'
import { endpoints, restRequest } from '../../kit/fuzz/rest-requests.ts'
import { curlOf, type Door, type Heard, type Sent, send } from '../../kit/fuzz/send.ts'
import { makeStage, type Stage } from '../../kit/fuzz/stage.ts'
import { type Memory, startTarget, type Target } from '../../kit/fuzz/target.ts'

/**
 * Requests that mean harm, to every operation of REST and to every field of the graph. `FUZZ_REQUESTS` says how many,
 * `FUZZ_SEED` which.
 */

const total = Number(process.env.FUZZ_REQUESTS ?? 2000)
const seed = Number(process.env.FUZZ_SEED ?? 2026)
const connections = 8
/** Requests on one project. */
const perStage = 1000
/**
 * After so many requests, caches are full. By measurement, heap and buffers in use grow from 236 MB after 10,000 to
 * 341 after 30,000, and to 365 after 50,000. Kept replies alone may take 64 MB.
 */
const warmUp = 50_000
/** Of the API, whatever is asked. */
const mostMegabytes = 700
/** From so many requests on, memory is compared. */
const enoughForMemory = 2 * warmUp

const api = useApi({}, undefined, { ownDatabase: true })
let target: Target

beforeAll(async () => {
  target = await startTarget(api.databaseUrl)
})
afterAll(() => target.stop())

/** What is wrong, by what is alike. */
const failures = new Map<string, string>()
const statuses: Record<Door, Record<number, number>> = { REST: {}, 'REST graph': {}, GraphQL: {} }

function note(sent: Sent, faults: readonly string[], heard?: Heard): void {
  const place = sent.path.split('?')[0]?.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
  const field = sent.door === 'GraphQL' ? /[{ ]\s*(\w+)\(/.exec(sent.body ?? '')?.[1] : place
  const alike = `${sent.door} ${field} ${faults.map((fault) => fault.slice(0, 80)).join('; ')}`
  if (failures.has(alike) || failures.size >= 40) return
  const log = target.logOf(heard?.headers.get('x-request-id') ?? null)
  const told = [faults.join('\n'), curlOf(target.url, sent), heard?.body.slice(0, 600) ?? '', log]
  failures.set(alike, told.join('\n'))
}

/** Requests that got no answer in time, and got it when they were sent again. */
let late = 0

/** Sends a request. Without an answer it is sent again: what hangs by itself hangs again, a busy machine does not. */
async function answerTo(agent: Agent, sent: Sent): Promise<Heard> {
  try {
    return await send(target.url, agent, sent, hangMs)
  } catch {
    const heard = await send(target.url, agent, sent, hangMs)
    late++
    return heard
  }
}

async function ask(agent: Agent, sent: Sent): Promise<void> {
  try {
    const heard = await answerTo(agent, sent)
    const ofDoor = statuses[sent.door]
    ofDoor[heard.status] = (ofDoor[heard.status] ?? 0) + 1
    const faults = faultsOf(sent, heard)
    if (faults.length > 0) note(sent, faults, heard)
  } catch (error) {
    note(sent, [`no answer: ${error}`])
  }
}

function requestOf(index: number, stage: Stage): Sent {
  const random = new Random(seed, index)
  return random.chance(0.5) ? restRequest(random, stage) : graphRequest(random, stage)
}

async function nextStage(before: Stage | undefined): Promise<Stage> {
  const staged = { ...api, warehouse: target.engine.warehouse }
  const { id } = await api.workspace('enterprise')
  return makeStage(staged, testWorkspace(staged, id), before?.own ?? {})
}

/** Memory that is in use, when nothing is under way. */
async function settled(): Promise<Memory> {
  target.collect()
  await sleep(5000)
  return target.memory()
}

/** The first requests load code, which takes its time on a busy machine. */
async function warmDoors(agent: Agent): Promise<void> {
  const key = await (await api.workspace()).key()
  const headers = { authorization: `Bearer ${key.key}` }
  for (const path of ['/graphql?query={__typename}', '/api/mcp/projects', '/api/graph/nothing']) {
    await send(target.url, agent, { door: 'REST', method: 'GET', path, headers }, 12 * hangMs)
  }
}

test(`${total} requests that mean harm get documented answers, and memory stays`, async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  await warmDoors(agent)
  const began = performance.now()
  let stage: Stage | undefined
  let early: Memory | undefined
  let most = 0
  for (let from = 0; from < total; from += perStage) {
    if (from === warmUp && total >= enoughForMemory) early = await settled()
    const now = await nextStage(stage)
    stage = now
    let index = from
    const client = async () => {
      while (index < Math.min(from + perStage, total)) await ask(agent, requestOf(index++, now))
    }
    await Promise.all(Array.from({ length: connections }, client))
    most = Math.max(most, target.memory().api)
    if (index % 10_000 === 0) process.stdout.write(`${index} ${JSON.stringify(target.memory())}\n`)
  }
  agent.destroy()
  const seconds = Math.round((performance.now() - began) / 1000)
  const last = total < enoughForMemory ? target.memory() : await settled()
  const of = { operations: endpoints.length, fields: rootFields }
  process.stdout.write(
    `${JSON.stringify({ seed, requests: total, ...of, seconds, statuses, late, early, last, most })}\n`,
  )
  expect([...failures.values()].join('\n\n')).toBe('')
  expect(most).toBeLessThan(mostMegabytes)
  if (!early) return
  expect(last.api).toBeLessThanOrEqual(early.api * 1.2)
  expect(last.warehouse).toBeLessThanOrEqual(early.warehouse * 1.2)
}, 3_600_000)
