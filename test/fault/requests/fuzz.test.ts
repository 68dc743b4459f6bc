import fc from 'fast-check'
import { isNonNullType, isObjectType } from 'graphql'
import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../../rest/routes.ts'
import { publicSchema } from '../../../schema/index.ts'
import { makeProjectRows, type ProjectRows, selection } from '../../access/calls.ts'
import { useApi } from '../../kit/api.ts'
import { contractOperations } from '../../kit/rest/contract.ts'

/** Values that mean harm, for each argument of REST and of the graph. Each REST answer is checked against the contract too. */

/** Requests to each operation and to each field. */
const numRuns = Number(process.env.FUZZ_RUNS ?? 20)

const api = useApi()
let rows: ProjectRows
let workspace: Awaited<ReturnType<typeof api.workspace>>

beforeAll(async () => {
  workspace = await api.workspace('enterprise')
  rows = await makeProjectRows(api, workspace)
})

/** What only the inside of the service writes: stacks, and texts of the stores and of their clients. */
const inside =
  /\bat \S+ \(?(file|node|\/)|node_modules|Prisma|P20\d\d\b|DB::Exception|violates \w+|is not a function|Cannot read properties|Invalid time value|internal_error/

const text = fc.oneof(
  fc.constantFrom(
    '',
    '\u0000',
    '\ud800',
    '__proto__',
    '1e400',
    '-1',
    '2025-02-30',
    "'; DROP --",
    '../..',
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
)
const value = fc.oneof(
  text,
  fc.double(),
  fc.constantFrom(null, true, 2 ** 53),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Half of the values are right ones, so that requests come further than the first check. */
const given = (name: string, wild: unknown, isWild: boolean) =>
  isWild ? wild : (rows[name] ?? '2025-05-10')

const parts = fc.array(fc.record({ wild: value, isWild: fc.boolean() }), {
  minLength: 8,
  maxLength: 8,
})

test.each(routes)('$operationId answers whatever arguments as it is documented', async (route) => {
  const { key } = await workspace.key({ scopes: ['read', 'write', 'admin'] })
  const named = contractOperations.find(({ operationId }) => operationId === route.operationId)
  await fc.assert(
    fc.asyncProperty(parts, text, async (values, wildId) => {
      const [id, ...rest] = values
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
        encodeURIComponent(String(given(name, wildId.toWellFormed() || 'x', id?.isWild ?? true))),
      )
      const arguments_ = (names: readonly string[] = []) =>
        names.flatMap((name, at) => {
          const one = rest[at]
          return one ? [[name, given(name, one.wild, one.isWild)] as const] : []
        })
      const query = new URLSearchParams(
        arguments_(named?.parameters.query).map(([name, one]) => [
          name,
          typeof one === 'string' ? one : JSON.stringify(one),
        ]),
      )
      const body = JSON.stringify(Object.fromEntries(arguments_(named?.parameters.body)))
      const response = await fetch(`${api.url}${path}?${query}`, {
        method: route.method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(route.method === 'GET' ? {} : { body }),
      })
      expect(response.status).toBeLessThan(500)
      if (!response.ok) expect(await response.text()).not.toMatch(inside)
    }),
    { numRuns },
  )
})

const fieldsOf = (name: string) => {
  const type = publicSchema.getType(name)
  return isObjectType(type)
    ? Object.values(type.getFields()).map((field) => [name, field.name, field] as const)
    : []
}
const fields = ['Query', 'Mutation', 'Project'].flatMap(fieldsOf)

test.each(fields)(
  '%s.%s answers whatever variables without an error of its own',
  async (on, _name, field) => {
    const { key } = await workspace.key({ scopes: ['read', 'write', 'admin'] })
    await fc.assert(
      fc.asyncProperty(parts, async (values) => {
        const args = field.args.slice(0, values.length)
        const declared = args.map(({ name, type }) => `$${name}: ${type}`)
        const passed = args.map(({ name }) => `${name}: $${name}`)
        const list = (items: readonly string[]) => (items.length > 0 ? `(${items.join(', ')})` : '')
        const call = `${field.name}${list(passed)}${selection(field)}`
        const operation = on === 'Mutation' ? 'mutation' : 'query'
        const text = on === 'Project' ? `project(id: "${rows.projectId}") { ${call} }` : call
        const variables = args.flatMap(({ name, type }, at) => {
          const { wild, isWild } = values[at] ?? { wild: null, isWild: true }
          return isWild || isNonNullType(type) ? [[name, given(name, wild, isWild)]] : []
        })
        const response = await api.graphql(
          `${operation} Q${list(declared)} { ${text} }`,
          key,
          Object.fromEntries(variables),
        )
        expect(response.status).toBeLessThan(500)
        const { data, errors } = await response.json()
        expect(JSON.stringify(errors ?? data)).not.toMatch(inside)
      }),
      { numRuns },
    )
  },
)
