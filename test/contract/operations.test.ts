import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { routes } from '../../rest/routes.ts'
import { root } from '../kit/repository.ts'
import { type ContractOperation, contractOperations as contract } from '../kit/rest/contract.ts'

const keyOf = (operation: { operationId: string; method: string; path: string }) =>
  `${operation.operationId} ${operation.method} ${operation.path}`

describe('the route table equals the contract', () => {
  test('the contract has 91 operations, 75 of them GET', () => {
    expect(contract.map((operation) => operation.number)).toEqual(
      Array.from({ length: 91 }, (_, i) => i + 1),
    )
    expect(contract.filter((operation) => operation.method === 'GET')).toHaveLength(75)
    expect(new Set(contract.map((operation) => operation.operationId)).size).toBe(91)
  })

  test('every route is an operation of the contract, to the letter', () => {
    const known = new Set(contract.map(keyOf))
    expect(routes.filter((route) => !known.has(keyOf(route)))).toEqual([])
    expect(new Set(routes.map(keyOf)).size).toBe(routes.length)
  })

  test('every operation of the contract is a route', () => {
    const served = new Set(routes.map((route) => route.operationId))
    expect(contract.map((o) => o.operationId).filter((id) => !served.has(id))).toEqual([])
  })

  test('only the five endpoints of the contract export CSV', () => {
    const five = contract.flatMap(({ operationId, parameters }) =>
      parameters.query?.includes('format') ? [operationId] : [],
    )
    expect(five).toEqual([
      'listPrompts',
      'listSourceDomains',
      'listSourceUrls',
      'listIssues',
      'listOpportunities',
    ])
    const exporting = routes.filter((route) => route.csv).map((route) => route.operationId)
    expect(exporting.sort()).toEqual(five.sort())
  })
})

/** A part of the OpenAPI document. */
interface Node {
  readonly [key: string]: Node
}

describe('the OpenAPI document equals the contract', () => {
  const document: Node = JSON.parse(readFileSync(join(root, 'rest/contract/openapi.json'), 'utf8'))

  const resolved = (node: Node | undefined): Node => {
    const ref = node?.$ref as unknown as string | undefined
    if (ref === undefined) return node ?? {}
    const target = ref.split('/').slice(1)
    return resolved(target.reduce<Node | undefined>((part, key) => part?.[key], document))
  }
  const fieldsOf = (holder: Node | undefined) =>
    resolved(holder?.content?.['application/json']?.schema).properties ?? {}

  /** An operation of the document, written as the contract writes it. */
  function described({ number, method, path, operationId }: ContractOperation) {
    const entry = document.paths?.[path]?.[method.toLowerCase()]
    const listed = Object.values(entry?.parameters ?? {}).map(resolved)
    const body = Object.keys(fieldsOf(entry?.requestBody))
    const places = [
      ...['path', 'query', 'header'].map((place) => [
        place,
        listed.filter((each) => each.in === (place as never)).map(({ name }) => name),
      ]),
      ['body', body],
    ]
    const parameters = Object.fromEntries(places.filter(([, names]) => names?.length))
    const answer = resolved(entry?.responses?.['200'] ?? entry?.responses?.['202'])
    const fields = Object.keys(fieldsOf(answer))
    const known = entry?.operationId as unknown
    expect(known).toBe(operationId)
    return { number, operationId, method, path, parameters, fields }
  }

  test.each(contract)('$operationId', (operation) => {
    const { totals, ...rest } = operation
    const { fields, ...found } = described(operation)
    expect(found).toEqual(rest)
    const total = fields.find((name) => ['totalSources', 'totalUrls'].includes(name))
    const page = fields.includes('pagination') ? 'totalCount' : undefined
    // A page block whose total is null says so only in its answers.
    expect(total ?? page).toBe(totals === null ? 'totalCount' : totals)
  })

  test('has no other operation', () => {
    const count = Object.values(document.paths ?? {}).flatMap((item) => Object.keys(item)).length
    expect(count).toBe(contract.length)
  })
})
