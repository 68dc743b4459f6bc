import { describe, expect, test } from 'vitest'
import { routes } from '../../rest/routes.ts'
import { contractOperations } from '../kit/rest/contract.ts'
import notYet from './not-yet.json' with { type: 'json' }

const contract = contractOperations()
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

  test('every operation is a route, or stands in the list of those that are not there yet', () => {
    const served = new Set(routes.map((route) => route.operationId))
    const missing = contract.map((o) => o.operationId).filter((id) => !served.has(id))
    expect(notYet.operations).toEqual(missing)
  })

  test('the list of what is not there yet never grows', () => {
    expect(notYet.operations.length).toBeLessThanOrEqual(notYet.atMost)
    expect(routes.length + notYet.atMost).toBe(91)
  })

  test('only the five endpoints of the contract export CSV', () => {
    const five = [
      'listSourceDomains',
      'listSourceUrls',
      'listPrompts',
      'listIssues',
      'listOpportunities',
    ]
    const exporting = routes.filter((route) => route.csv).map((route) => route.operationId)
    expect(exporting).toEqual(five.filter((id) => !notYet.operations.includes(id)))
  })
})
