import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DemoService, runProgram, startDemoService } from '../kit/programs.ts'
import { runJson } from '../kit/service.ts'
import { startFailingProxy, type WayFault } from './failing-proxy.ts'

let service: DemoService
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-examples-'))
  service = await startDemoService({
    PERSISTED_DOCUMENTS: 'examples/graphql/persisted-documents.json',
  })
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

const envOf = (url = service.url, key = service.key) => ({
  SIGHTLINE_URL: url,
  SIGHTLINE_KEY: key,
})
const json = async <Body>(path: string): Promise<Body> =>
  (await service.get(`/api/mcp/projects/${service.demoProjectId}${path}`, service.key)).json()

test.each([
  { args: [], path: '/' },
  { args: ['--graphiql'], path: '/graphql' },
])('npx sightline open $args prints a link that signs in once', async ({ args, path }) => {
  const printed = await runJson<{ url: string }>(['open', ...args], { env: service.env })
  const { origin, pathname, hash } = new URL(printed.url)
  expect([origin, pathname]).toEqual([service.url, path])
  const redeem = () =>
    fetch(`${service.url}/page-key`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: hash.replace('#code=', '') }),
    })
  const { key } = (await (await redeem()).json()) as { key: string }
  const reached = (await (await service.get('/api/mcp/projects', key)).json()) as {
    projects: object[]
  }
  expect(reached.projects).toHaveLength(2)
  expect((await redeem()).status).toBe(404)
})

describe('examples/client', () => {
  const file = () => join(folder, 'sources.csv')
  const run = (env: Record<string, string>) =>
    runProgram(['examples/client/main.ts', file()], { env })
  const added = async () => {
    const { prompts } = await json<{ prompts: { text: string }[] }>('/prompts?limit=1000')
    return prompts.filter(({ text }) => text === 'Which headphones are best for flights?').length
  }
  let before = { prompts: 0, sources: 0 }

  beforeAll(async () => {
    const [{ pagination }, { totalSources }] = await Promise.all([
      json<{ pagination: { totalCount: number } }>('/prompts'),
      json<{ totalSources: number }>('/sources/domains?days=90'),
    ])
    before = { prompts: pagination.totalCount, sources: totalSources }
    // Otherwise one page would be all of them.
    expect(Math.min(before.prompts, before.sources)).toBeGreaterThan(20)
  })

  test('reads all pages, by offset and by cursor, writes CSV, and adds a prompt', async () => {
    const { code, stdout, stderr } = await run(envOf())
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n')).toEqual([
      'Lumora Audio',
      `${before.prompts} prompts, ${before.prompts} of them tracked`,
      expect.stringMatching(new RegExp(`^${before.sources} cited domains, most often .+, .+, .+$`)),
      `The same in ${file()}`,
      'Added "Which headphones are best for flights?" at revision 1',
      '',
    ])
    const records = parse(await readFile(file()), { bom: true, columns: true })
    expect(records).toHaveLength(before.sources)
    expect(await added()).toBe(1)
  })

  test('adds one prompt under one key, whatever befalls the request on its way', async () => {
    const already = await added()
    const planned: WayFault[] = ['lost', 'refused', 'busy', 'in flight']
    const way = await startFailingProxy(service.url, planned)
    const { code, stdout, stderr } = await run(envOf(way.url))
    await way.close()
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('at revision 1')
    expect(way.writes).toHaveLength(5)
    expect(new Set(way.writes.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
    expect(new Set(way.writes.map(({ body }) => body)).size).toBe(1)
    expect(await added()).toBe(already + 1)
    // As long as `Retry-After` says.
    const waits = way.writes.map(({ atMs }, i) => atMs - (way.writes[i - 1]?.atMs ?? 0))
    expect(waits[3]).toBeGreaterThanOrEqual(1000)
    expect(waits[4]).toBeGreaterThanOrEqual(2000)
  })

  test('ends with the code of a problem that does not pass', async () => {
    const { code, stderr } = await run(envOf(service.url, 'sgl_wrong'))
    expect([code, stderr]).toEqual([1, expect.stringContaining('unauthorized: ')])
  })
})

describe('examples/graphql', () => {
  test('asks five questions, and prints their answers as tables', async () => {
    const { code, stdout, stderr } = await runProgram(['examples/graphql/main.ts'], {
      env: envOf(),
    })
    expect([code, stderr]).toEqual([0, ''])
    const { summary } = await json<{ summary: { visibilityScore: number } }>('/visibility')
    const { competitors } = await json<{ competitors: { name: string }[] }>('/share-of-voice')
    const { sources } = await json<{ sources: { domain: string }[] }>(
      '/sources/domains?days=90&limit=5',
    )
    const { pagination } = await json<{ pagination: { totalCount: number } }>(
      '/answers?mentioned=false&unbranded=true',
    )
    expect(stdout).toContain(`${summary.visibilityScore} %`)
    for (const { name } of competitors) expect(stdout).toContain(`\n  ${name} `)
    for (const { domain } of sources) expect(stdout).toContain(`\n  ${domain} `)
    expect(stdout).toContain(`Where are we missing? In ${pagination.totalCount} answers`)
    expect(stdout).not.toMatch(/undefined|null|NaN/)
  })

  test('sends the hash of each question, and never the text', async () => {
    const way = await startFailingProxy(service.url, [])
    const run = await runProgram(['examples/graphql/main.ts'], { env: envOf(way.url) })
    await way.close()
    expect([run.code, run.stderr]).toEqual([0, ''])
    const bodies = way.writes.map(({ body }) => Object.keys(JSON.parse(body)))
    expect(bodies).toEqual(Array.from({ length: 5 }, () => ['documentId']))
  })

  test('ends with what was wrong', async () => {
    const env = envOf(service.url, 'sgl_wrong')
    const { code, stderr } = await runProgram(['examples/graphql/main.ts'], { env })
    expect([code, stderr]).toEqual([1, expect.stringContaining('key')])
  })
})

describe('examples/clients', () => {
  const platforms = `platforms(first: 3) {
    nodes { displayName visibility(window: { days: 90 }) { summary { visibilityScore } } }
  }`
  interface Reach {
    readonly name: string
    readonly platforms: {
      readonly nodes: readonly {
        readonly displayName: string
        readonly visibility: { readonly summary: { readonly visibilityScore: number | null } }
      }[]
    }
  }
  const ask = async <Data>(query: string): Promise<Data> => {
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    return ((await response.json()) as { data: Data }).data
  }

  test.each(['urql', 'apollo', 'relay'])(
    '%s keeps two projects apart in one cache, reads all pages, and gets problems as data',
    async (client) => {
      const { projects } = await ask<{ projects: { nodes: { id: string }[] } }>(
        '{ projects(first: 2) { nodes { id } } }',
      )
      // Each project by itself.
      const reached = await Promise.all(
        projects.nodes.map(({ id }) =>
          ask<{ project: Reach }>(`{ project(id: "${id}") { name ${platforms} } }`),
        ),
      )
      const scores = reached.flatMap(({ project }) => [
        project.name,
        ...project.platforms.nodes.map(
          ({ displayName, visibility }) =>
            `  ${displayName}: ${visibility.summary.visibilityScore ?? '–'} %`,
        ),
      ])
      const { pagination } = await json<{ pagination: { totalCount: number } }>('/prompts?limit=1')
      expect(pagination.totalCount).toBeGreaterThan(50)
      const { code, stdout, stderr } = await runProgram([`examples/clients/${client}/main.ts`], {
        env: envOf(),
      })
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout.trimEnd().split('\n')).toEqual([
        ...scores,
        `${pagination.totalCount} of ${pagination.totalCount} prompts`,
        'Added "Which headphones fold?"',
        'invalid_argument: `prompts.0.text` must not be empty.',
        'prompts.0.text: must not be empty',
      ])
    },
  )
})
