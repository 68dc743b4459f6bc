import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, startService, type TestService } from '../kit/service.ts'

/** Sixty answers of a megabyte. The dash makes each character two bytes of memory. */
const text = `${'A word – and one more. '.repeat(40_000)}`.slice(0, 950_000)
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
const lines = Array.from({ length: 60 }, (_, i) =>
  JSON.stringify({
    prompt: 'best headphones',
    platform: 'chatgpt',
    text: `${i} ${text}`,
    collectedAt: `${yesterday}T08:00:${String(i).padStart(2, '0')}Z`,
  }),
)

/** The most memory that a process ever had, in megabytes. */
const peakOf = (pid = 0) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000

interface Outcome {
  readonly status: number
  readonly megabytes: number
}

async function sizeOf(response: Response): Promise<Outcome> {
  return { status: response.status, megabytes: (await response.arrayBuffer()).byteLength / 1e6 }
}

/** A connection for each request: the service ends those that waited for the slowest request. */
const fresh = { connection: 'close' }

async function byRest(service: TestService): Promise<Outcome> {
  const path = `/api/mcp/projects/${service.demoProjectId}/answers?days=3&limit=1000`
  const headers = { authorization: `Bearer ${service.demoKey}`, ...fresh }
  return sizeOf(await fetch(service.url + path, { headers }))
}

async function byGraph(service: TestService): Promise<Outcome> {
  const answers = 'answers(window: { days: 3 }, first: 100) { nodes { id text } }'
  const query = `{ project(id: "${service.demoProjectId}") { a: ${answers} b: ${answers} } }`
  const headers = {
    authorization: `Bearer ${service.demoKey}`,
    'content-type': 'application/json',
    ...fresh,
  }
  const body = JSON.stringify({ query })
  return sizeOf(await fetch(`${service.url}/graphql`, { method: 'POST', headers, body }))
}

test.skipIf(process.platform !== 'linux')(
  'twenty requests at once for large answers leave the memory of each process within its bound',
  async () => {
    const service = await startService()
    const file = join(service.dataDir, 'answers.jsonl')
    await writeFile(file, lines.join('\n'))
    const imported = ['import', 'answers', '--project', service.demoProjectId, file]
    expect((await runCli(imported, { env: service.env })).code).toBe(0)

    const alone = await byRest(service)
    expect(alone.status).toBe(200)
    expect(alone.megabytes).toBeGreaterThan(25)
    expect(alone.megabytes).toBeLessThan(36)
    const asked = Array.from({ length: 20 }, (_, i) => (i % 2 ? byRest : byGraph)(service))
    const outcomes = await Promise.all(asked)
    // Who waits too long for the others gets 429, and nobody gets more than a response.
    for (const { status, megabytes } of outcomes) {
      expect([200, 429]).toContain(status)
      expect(megabytes).toBeLessThan(36)
    }
    expect(outcomes.some(({ megabytes }) => megabytes > 25)).toBe(true)
    const { api, warehouse } = await service.parts()
    const peaks = { api: peakOf(api), warehouse: peakOf(warehouse) }
    expect(peaks.api).toBeLessThan(700)
    expect(peaks.warehouse).toBeLessThan(1500)
    await service.stop()
  },
  // A start and twenty large answers, on a machine that does much else.
  900_000,
)
