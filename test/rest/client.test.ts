import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { print } from 'graphql'
import { parse } from 'graphql/language/parser.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { webhookHeaders } from '../../core/channels/webhook.ts'
import {
  GraphQLProblem,
  graphql,
  Sightline,
  SightlineError,
} from '../../packages/client/src/client.ts'
import { useApi } from '../kit/api.ts'
import { compile, runProgram } from '../kit/programs.ts'
import { emptyFolder, root } from '../kit/repository.ts'

/** The package `@sightline/client`, as people install it and as they use it. */

const run = promisify(execFile)
const api = useApi()
let project = ''
let key = ''
const wordings = ['One?', 'Two?', 'Three?', 'Four?', 'Five?']

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key({ scopes: ['read', 'write'], capabilities: ['prompt:draft'] })).key
  const now = new Date().toISOString()
  await workspace.load(project, [{ prompt: 'Six?', text: 'Acme leads.', collectedAt: now }])
  await api.db.prompt.createMany({
    data: wordings.map((text, at) => ({
      projectId: project,
      text,
      createdAt: new Date(Date.UTC(2025, 4, 10 - at)),
    })),
  })
})

/** An empty folder that has installed the packed package, and what it depends on. */
async function installed(): Promise<string> {
  const folder = emptyFolder()
  const pack = ['pack', '--workspace', 'packages/client', '--pack-destination', folder]
  await run('npm', pack, { cwd: root })
  const place = join(folder, 'node_modules/@sightline/client')
  mkdirSync(place, { recursive: true })
  const file = join(folder, 'sightline-client-0.1.0.tgz')
  await run('tar', ['-xzf', file, '-C', place, '--strip-components', '1'])
  // What npm would fetch.
  const { dependencies } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
  const own = ['openapi-typescript-helpers', '@stablelib', 'fast-sha256', '@types']
  for (const name of [...Object.keys(dependencies), ...own]) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  return folder
}

test('the code of its README compiles and runs against the service, with the package as npm packs it', async () => {
  const folder = await installed()
  const readme = readFileSync(join(root, 'packages/client/README.md'), 'utf8')
  const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block)
  const body = JSON.stringify({
    type: 'test.ping',
    timestamp: '2026-11-28T06:04:11.000Z',
    data: { title: 'A test' },
  })
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const headers = webhookHeaders([secret], { id: 'evt_1', at: new Date(), body })
  const received = `
const { headers, body } = JSON.parse(process.env.WEBHOOK ?? '')
for (const text of [body, body.replace('A test', 'A fake')]) {
  const request = new Request('https://example.com', { method: 'POST', headers, body: text })
  console.log((await receive(request)).status)
}
`
  writeFileSync(join(folder, 'main.ts'), blocks.join('\n') + received)
  const flags = ['--noEmit', '--module', 'nodenext', '--skipLibCheck', 'false', 'main.ts']
  expect(await compile(folder, flags)).toMatchObject({ code: 0, stdout: '' })
  const { code, stdout, stderr } = await runProgram([join(folder, 'main.ts')], {
    cwd: folder,
    env: {
      SIGHTLINE_URL: `${api.url}/`,
      SIGHTLINE_KEY: key,
      SIGHTLINE_WEBHOOK_SECRET: secret,
      WEBHOOK: JSON.stringify({ headers, body }),
    },
  })
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.trim().split('\n')).toEqual([
    'Acme 100',
    '6 prompts',
    expect.stringContaining('text'),
    'added 1 Which anvils are quiet?',
    expect.stringMatching(/^400 invalid_argument \[ 'from' \]/),
    '2 on the first page',
    '7 prompts in the graph',
    'test.ping A test',
    '204',
    '401',
  ])
})

describe('the client', () => {
  /** A client whose first requests fail as given, before the others reach the service. */
  function failing(failures: (Response | Error)[], retries = {}) {
    const sent: Request[] = []
    const fetchAfter = async (request: Request) => {
      sent.push(request.clone())
      const failure = failures.shift()
      if (failure instanceof Error) throw failure
      return failure ?? fetch(request)
    }
    const options = { url: api.url, key, retries: { firstPauseMs: 1, ...retries } }
    return { sightline: new Sightline({ ...options, print, fetch: fetchAfter }), sent }
  }
  const down = () => new TypeError('fetch failed')
  const busy = (seconds: string) =>
    new Response('{}', { status: 503, headers: { 'retry-after': seconds } })
  const add = { params: { path: { projectId: '' } }, body: { prompts: [{ text: 'Once?' }] } }
  const path = '/api/mcp/projects/{projectId}/prompts'

  test('repeats a read and a write under one key; the write happens once', async () => {
    const { sightline, sent } = failing([down(), busy('0'), new Response('', { status: 502 })])
    const write = { ...add, params: { path: { projectId: project } } }
    expect(await sightline.post(path, write)).toMatchObject({ created: 1 })
    expect(sent).toHaveLength(4)
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
    expect(await api.db.prompt.count({ where: { projectId: project, text: 'Once?' } })).toBe(1)
  })

  test('gives up after its attempts, at a pause that is too long, and when it is stopped', async () => {
    const never = failing([down(), down(), down()], { attempts: 2 })
    await expect(never.sightline.get('/api/mcp/projects')).rejects.toThrow('fetch failed')
    expect(never.sent).toHaveLength(2)
    const long = failing([busy('3600')])
    const refused = await long.sightline.get('/api/mcp/projects').catch((error) => error)
    expect(refused).toMatchObject({ status: 503, code: undefined, retryAfterMs: 3_600_000 })
    const waiting = failing([busy('30')])
    const stopped = new AbortController()
    const reply = waiting.sightline.get('/api/mcp/projects', { signal: stopped.signal })
    await expect.poll(() => waiting.sent.length).toBe(1)
    stopped.abort(new Error('no longer needed'))
    await expect(reply).rejects.toThrow('no longer needed')
    expect(waiting.sent).toHaveLength(1)
  })

  test('repeats a query, and a mutation with an idempotency key alone', async () => {
    const query = failing([down()])
    const count = graphql<{ projects: { totalCount: number } }>('{ projects { totalCount } }')
    expect(await query.sightline.query(count)).toEqual({ projects: { totalCount: 1 } })
    const text = `# a change
      mutation Add($project: ID!) {
        addPrompts(projectId: $project, prompts: [{ text: "Keyed?" }]) { __typename }
      }`
    const once = failing([down()])
    await expect(once.sightline.query(text, { project })).rejects.toThrow('fetch failed')
    expect(once.sent).toHaveLength(1)
    const keyed = failing([down()])
    const added = await keyed.sightline.query(parse(text), { project }, { idempotencyKey: 'a' })
    expect(added).toEqual({ addPrompts: { __typename: 'PromptAddition' } })
    expect(keyed.sent).toHaveLength(2)
  })

  test('says which argument of a document is wrong, and which key is', async () => {
    const { sightline } = failing([])
    const wrong = sightline.query('{ projects(first: 0) { nodes { id } } }')
    await expect(wrong).rejects.toBeInstanceOf(GraphQLProblem)
    await expect(wrong).rejects.toMatchObject({
      code: 'invalid_argument',
      fields: { first: [expect.stringContaining('must be')] },
    })
    const stranger = new Sightline({ url: api.url, key: 'sgl_forged' })
    const refusals = await Promise.allSettled([
      stranger.get('/api/mcp/projects'),
      stranger.query('{ projects { totalCount } }'),
    ])
    expect(refusals).toHaveLength(2)
    for (const refusal of refusals) {
      const error = refusal.status === 'rejected' ? refusal.reason : undefined
      expect(error).toBeInstanceOf(SightlineError)
      expect(error).toMatchObject({ status: 401, code: 'unauthorized' })
    }
  })

  test('reads lists by cursor to their end, and stops where its reader stops', async () => {
    const { sightline, sent } = failing([])
    const rows = sightline.rows(path, 'prompts', {
      params: { path: { projectId: project }, query: { limit: 2 } },
    })
    for await (const _ of rows) break
    expect(sent).toHaveLength(1)
    const pages = sightline.pages('/api/mcp/projects/{projectId}/sources/domains', {
      params: { path: { projectId: project } },
    })
    const sizes: number[] = []
    for await (const { sources } of pages) sizes.push(sources.length)
    expect(sizes).toEqual([0])
  })
})
