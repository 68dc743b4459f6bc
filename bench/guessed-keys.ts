import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeApiKey } from '../core/access.ts'
import { say, startBenchService } from './service.ts'

/**
 * node bench/guessed-keys.ts [SECONDS]
 *
 * Prints the time of a client's requests alone, and while 150 connections guess keys: with wrong checksums, and with
 * right ones. Client and guesses run in processes of their own.
 */
const seconds = Number(process.argv[2] ?? 10)
const connections = 150

interface Task {
  readonly url: string
  readonly keys: readonly string[]
  readonly guess?: 'wrong' | 'right'
}

const agent = new Agent({ keepAlive: true, maxSockets: connections })

function statusOf(url: string, key: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` }
    const sent = request(`${url}/api/mcp/projects`, { agent, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    sent.on('error', reject).end()
  })
}

const guessOf = {
  right: () => makeApiKey().key,
  wrong: () => `${makeApiKey().key.slice(0, -6)}000000`,
}

async function guess({ url, guess = 'wrong' }: Task): Promise<number> {
  const end = performance.now() + seconds * 1000
  let answers = 0
  const one = async () => {
    for (; performance.now() < end; answers++) await statusOf(url, guessOf[guess]())
  }
  await Promise.all(Array.from({ length: connections }, one))
  return answers
}

/** One request after another, with pauses: the 95th percentile in milliseconds. */
async function read({ url, keys }: Task): Promise<number> {
  const end = performance.now() + seconds * 1000
  const times: number[] = []
  while (performance.now() < end) {
    const began = performance.now()
    const status = await statusOf(url, keys[times.length % keys.length] ?? '')
    if (status !== 200) throw new Error(`The reader got ${status}`)
    times.push(performance.now() - began)
    await sleep(10)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
}

async function inChild(task: Task): Promise<number> {
  const child = fork(import.meta.filename, [String(seconds)])
  child.send(task)
  const [figure] = (await once(child, 'message')) as [number]
  child.disconnect()
  return figure
}

async function main(): Promise<void> {
  const service = await startBenchService()
  const keys = await Promise.all(Array.from({ length: 20 }, () => service.newKey()))
  const task = { url: service.url, keys }
  await inChild(task)
  say(`alone: p95 ${(await inChild(task)).toFixed(1)} ms`)
  for (const kind of ['wrong', 'right'] as const) {
    const [p95, answers] = await Promise.all([inChild(task), inChild({ ...task, guess: kind })])
    const rate = Math.round(answers / seconds)
    say(
      `beside ${connections} connections that guess, ${kind} checksums: p95 ${p95.toFixed(1)} ms, ${rate} guesses/s`,
    )
  }
  await service.stop()
}

if (process.send) {
  const [task] = (await once(process, 'message')) as [Task]
  process.send(await (task.guess ? guess(task) : read(task)))
} else {
  await main()
}
