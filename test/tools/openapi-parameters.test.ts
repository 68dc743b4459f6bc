import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../resolvers/keys/keys.ts'
import type { Json } from '../../rest/openapi/schemas.ts'
import { useApi } from '../kit/api.ts'
import { clearOfMidnight } from '../kit/day.ts'
import { makeTestDemo, type TestDemo } from '../kit/demo.ts'
import { type Step, walk } from '../kit/pagination.ts'
import { openApi } from '../kit/rest/answer-check.ts'

await clearOfMidnight(240_000)

/** What the document says of parameters of the query is what the service does, at every operation that reads. */

const api = useApi()
let demo: TestDemo
let steps: readonly Step[]
let workspaceId = ''
let key = ''
let asked = 0

beforeAll(async () => {
  const endDay = new Date().toISOString().slice(0, 10)
  demo = await makeTestDemo(api, { projectId: randomUUID(), endDay })
  const of = await api.db.project.findUniqueOrThrow({ where: { id: demo.projectId } })
  workspaceId = of.workspaceId
  const all = await walk(openApi, api, demo, 5)
  steps = all.filter(({ method }) => method === 'GET')
})

/** Answers without the parameter in question: most parameters of an operation share one. */
const plain = new Map<string, ReturnType<typeof fetched>>()

/** Asks with a parameter set, or left out. */
function ask({ path }: Step, name: string, value: string | null) {
  const url = new URL(path, api.url)
  if (value !== null) {
    url.searchParams.set(name, value)
    return fetched(url)
  }
  url.searchParams.delete(name)
  const known = plain.get(url.href) ?? fetched(url)
  plain.set(url.href, known)
  return known
}

/** Asks with another key before one has asked too often. */
async function fetched(url: URL) {
  if (asked++ % 500 === 0) ({ key } = await createKey(api.db, { workspaceId, scopes: ['read'] }))
  const response = await api.get(url.pathname + url.search, key)
  const { nextCursor: _signed, ...body } = (await response.json()) as Record<string, unknown>
  const { fieldErrors = {} } = { ...(body.details as { fieldErrors?: object }) }
  return { status: response.status, body, fields: Object.keys(fieldErrors) }
}

interface Parameter {
  readonly step: Step
  readonly name: string
  readonly required: boolean
  readonly schema: Json & { readonly enum?: readonly string[]; readonly items?: Json }
}

function queryOf(step: Step): Parameter[] {
  const operations = Object.values(openApi.paths).flatMap((methods) => Object.values(methods))
  const operation = operations.find(({ operationId }) => operationId === step.operationId)
  const parameters = (operation?.parameters ?? []) as Json[]
  return parameters.flatMap((parameter) => {
    const part =
      String(parameter.$ref ?? '')
        .split('/')
        .pop() ?? ''
    const known = openApi.components.parameters?.[part] ?? parameter
    return known.in === 'query' ? [{ ...known, step } as unknown as Parameter] : []
  })
}

/** Checks each parameter and lists the failures. */
async function failing(
  concerns: (parameter: Parameter) => boolean,
  holds: (parameter: Parameter) => Promise<boolean>,
): Promise<string[]> {
  const told: string[] = []
  let checked = 0
  for (const parameter of steps.flatMap(queryOf).filter(concerns)) {
    checked++
    if (!(await holds(parameter))) told.push(`${parameter.step.operationId} ${parameter.name}`)
  }
  expect(checked).toBeGreaterThan(0)
  return told
}

const isRefused = ({ status, fields }: Awaited<ReturnType<typeof ask>>, name: string) =>
  status === 400 && fields.includes(name)

describe('of every operation that reads', () => {
  test('a number below its minimum is refused by name', async () => {
    const wrong = await failing(
      ({ schema }) => schema.minimum !== undefined,
      async ({ step, name, schema }) =>
        isRefused(await ask(step, name, String(Number(schema.minimum) - 1)), name),
    )
    expect(wrong).toEqual([])
  })

  test('a number has no `maximum`: one above its bound becomes the bound', async () => {
    const bounded = steps.flatMap(queryOf).filter(({ schema }) => 'maximum' in schema)
    expect(bounded.map(({ step, name }) => `${step.operationId} ${name}`)).toEqual([])
    const wrong = await failing(
      ({ schema }) => schema['x-clamped-to'] !== undefined,
      async ({ step, name, schema: { 'x-clamped-to': bound } }) => {
        const most = await ask(step, name, String(bound))
        const more = await ask(step, name, String(Number(bound) + 1))
        return most.status === 200 && JSON.stringify(most.body) === JSON.stringify(more.body)
      },
    )
    expect(wrong).toEqual([])
  })

  test('the default is what comes without', async () => {
    const wrong = await failing(
      ({ schema }) => schema.default !== undefined,
      async ({ step, name, schema }) => {
        const without = await ask(step, name, null)
        const given = await ask(step, name, String(schema.default))
        return given.status === 200 && JSON.stringify(without.body) === JSON.stringify(given.body)
      },
    )
    expect(wrong).toEqual([])
  })

  test('each value of a list is taken, and no other', async () => {
    const valuesOf = ({ schema }: Parameter) => schema.enum ?? (schema.items?.enum as string[])
    const wrong = await failing(
      (parameter) => valuesOf(parameter) !== undefined && parameter.name !== 'format',
      async (parameter) => {
        const { step, name } = parameter
        for (const value of valuesOf(parameter)) {
          if ((await ask(step, name, value)).status !== 200) return false
        }
        return isRefused(await ask(step, name, 'no-such-value'), name)
      },
    )
    expect(wrong).toEqual([])
  })

  test('what is required is missed by name, and a flag is true or false', async () => {
    const missed = await failing(
      ({ required }) => required,
      async ({ step, name }) => isRefused(await ask(step, name, null), name),
    )
    const flags = await failing(
      ({ schema }) => schema.type === 'boolean',
      async ({ step, name }) =>
        (await ask(step, name, 'true')).status === 200 &&
        isRefused(await ask(step, name, 'perhaps'), name),
    )
    expect([...missed, ...flags]).toEqual([])
  })
})
