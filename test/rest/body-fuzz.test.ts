import { once } from 'node:events'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import fc from 'fast-check'
import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { catalog } from '../../core/errors.ts'
import { useApi } from '../kit/api.ts'
import { faultIn, type GraphAnswer } from '../kit/changes.ts'
import { assertProblem } from '../kit/rest/problem-schema.ts'
import {
  mutationOf,
  type PromptPlace,
  pathsOf,
  promptWriteNames,
  promptWrites,
} from '../kit/rest/prompt-writes.ts'
import { sendWrite } from '../kit/rest/writes.ts'
import { sized } from '../kit/soak.ts'

/** Bodies that nobody thought of: whatever comes, no answer is 500, and what is refused writes nothing. */

const failures: string[] = []
const sink = new Writable({
  write(line, _encoding, done) {
    if (JSON.parse(String(line)).level >= 50) failures.push(String(line))
    done()
  },
})
const api = useApi({}, pino({ level: 'error' }, sink))

let place: PromptPlace
let workspace: Awaited<ReturnType<typeof api.workspace>>
let topicId = ''

beforeAll(async () => {
  workspace = await api.workspace('enterprise')
  const projectId = await workspace.project()
  place = {
    projectId,
    promptId: (await api.db.prompt.create({ data: { projectId, text: 'x' } })).id,
  }
  topicId = (await api.db.topic.create({ data: { projectId, name: 'T' } })).id
})

/** A key of its own, so that a run stays below the rate. */
const drafter = async () => (await workspace.key({ capabilities: ['prompt:draft'] })).key

/** What changes with every write, whichever it was. */
async function trace(): Promise<string> {
  const where = { projectId: place.projectId }
  const { _sum, _count } = await api.db.prompt.aggregate({
    where,
    _sum: { currentRevision: true },
    _count: true,
  })
  return [_sum.currentRevision, _count, await api.db.auditEntry.count({ where })].join(' ')
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme', maxLength: 2100 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '__proto__',
    'x'.repeat(2000),
    '\u{1f600}'.repeat(2000),
  ),
)
const anyNumber = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -0, 1, 2 ** 31, 1e300))
const wild = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  anyText,
  anyNumber,
  fc.boolean(),
  fc.constant(null),
)
const newPrompt = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      {
        text: anyText,
        isBranded: fc.oneof(fc.boolean(), wild),
        topicIds: fc.oneof(fc.array(fc.oneof(anyText, fc.constantFrom('T'))), wild),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: wild },
)
const fields = fc.record(
  {
    prompts: fc.oneof(fc.array(newPrompt, { maxLength: 12 }), wild),
    text: fc.oneof(anyText, wild),
    intentCategory: fc.oneof(fc.constantFrom('informational', 'commercial'), wild),
    isBranded: wild,
    keywordSearchVolume: fc.oneof(anyNumber, wild),
    keywordDifficulty: fc.oneof(anyNumber, wild),
    expectedRevision: fc.oneof(fc.constantFrom(1, 2, 3), wild),
    action: fc.oneof(fc.constantFrom('archive', 'restore'), wild),
    revision: fc.oneof(fc.constant(1), wild),
    projectId: wild,
    promptId: wild,
    idempotencyKey: wild,
    __typename: wild,
  },
  { requiredKeys: [] },
)
const body = fc.oneof({ weight: 8, arbitrary: fields }, { weight: 1, arbitrary: wild })

/** The body as JSON, with an id where the arbitrary says that a topic's should stand. */
const written = (value: unknown) => JSON.stringify(value).replaceAll('"T"', `"${topicId}"`)

describe.each(promptWriteNames)('%s', (name) => {
  test('REST answers whatever body with 200 or a problem', async () => {
    const key = await drafter()
    const { method } = promptWrites[name]
    let turn = 0
    await fc.assert(
      fc.asyncProperty(body, async (value) => {
        const path = pathsOf(name, place)[turn++ % 2] ?? ''
        const before = await trace()
        const text = written(value)
        const headers = { 'idempotency-key': `${name} ${turn}` }
        const response = await sendWrite(api, { path, key, method, body: text, headers })
        if (response.status === 200) return
        const problem = assertProblem(await response.json())
        expect([400, 403, 404, 409]).toContain(problem.status)
        expect(await trace()).toBe(before)
      }),
      { numRuns: sized({ normal: 20, soak: 80 }) },
    )
    expect(failures).toEqual([])
  })

  test('GraphQL answers whatever variables without a failure of its own', async () => {
    const key = await drafter()
    const query = mutationOf(name)
    await fc.assert(
      fc.asyncProperty(fields, async (value) => {
        const before = await trace()
        const variables = JSON.parse(written({ ...(value as object), ...place }))
        const response = await api.graphql(query, key, variables)
        const code = faultIn((await response.json()) as GraphAnswer).split(' ')[0] ?? ''
        if (code === 'none') return
        const { status } = catalog[code as keyof typeof catalog]
        expect([400, 403, 404, 409]).toContain(status)
        expect(await trace()).toBe(before)
      }),
      { numRuns: sized({ normal: 20, soak: 80 }) },
    )
    expect(failures).toEqual([])
  })

  test('a body that ends early writes nothing, and the server goes on', async () => {
    const key = await drafter()
    const before = await trace()
    const { hostname, port } = new URL(api.url)
    for (const path of pathsOf(name, place)) {
      const socket = connect(Number(port), hostname)
      socket.write(
        `${promptWrites[name].method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"text": "cut',
      )
      await new Promise((resolve) => setTimeout(resolve, 100))
      socket.destroy()
      await once(socket, 'close')
      const healthy = await sendWrite(api, {
        path,
        key,
        method: promptWrites[name].method,
        body: '[]',
      })
      expect(healthy.status).toBe(400)
    }
    expect(await trace()).toBe(before)
    expect(failures).toEqual([])
  })
})
