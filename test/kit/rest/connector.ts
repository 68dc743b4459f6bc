import { expect } from 'vitest'
import type { TestApi } from '../api.ts'
import { assertProblem } from './problem-schema.ts'

/** What a connector asks for. */
export interface ConnectorAsk {
  readonly dataset: string
  readonly fields?: readonly string[]
  readonly startDate?: string
  readonly endDate?: string
  readonly limit?: number
  readonly offset?: number
}

export type Cell = string | number | boolean | null

export interface Field {
  readonly id: string
  readonly label: string
  readonly type: string
  readonly role: string
}

export interface Table {
  readonly schema: readonly Field[]
  readonly rows: readonly (readonly Cell[])[]
  readonly pagination: Readonly<Record<string, number | boolean>>
}

interface Problem {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly requiresUpgrade?: boolean
}

type What = 'schema' | 'data'

const selections = {
  schema: 'connectorSchema(ARGS) { fields { id label type role } }',
  data: `connectorData(ARGS) {
    schema { id label type role } rows
    pagination { limit offset returnedCount totalCount hasMore nextOffset }
  }`,
}

/** The arguments as GraphQL writes them: the dataset is an enum. */
function argumentsOf(ask: ConnectorAsk): string {
  const { startDate, endDate, ...rest } = ask
  const given = Object.entries(rest).map(
    ([name, value]) => `${name}: ${name === 'dataset' ? value : JSON.stringify(value)}`,
  )
  if (startDate === undefined && endDate === undefined) return given.join(', ')
  const days = Object.entries({ from: startDate, to: endDate }).flatMap(([name, day]) =>
    day === undefined ? [] : [`${name}: ${JSON.stringify(day)}`],
  )
  return [...given, `window: { ${days.join(', ')} }`].join(', ')
}

/** Asks for a dataset of one project at each door. */
export function connectorDoors(api: TestApi, project: () => string, key: () => string) {
  const pathOf = (what: What) => `/api/v1/projects/${project()}/connector/${what}`

  const get = (what: What, query: string) => api.get(`${pathOf(what)}?${query}`, key())

  const post = (what: What, body: unknown, headers: Record<string, string> = {}) =>
    fetch(api.url + pathOf(what), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key()}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    })

  const query = (ask: ConnectorAsk) =>
    new URLSearchParams(Object.entries(ask).map(([name, value]) => [name, String(value)]))

  async function graph(what: What, ask: ConnectorAsk) {
    const call = selections[what].replace('ARGS', argumentsOf(ask))
    const text = `query($id: ID!) { project(id: $id) { ${call} } }`
    const response = await api.graphql(text, key(), { id: project() })
    return (await response.json()) as {
      data: { project: Record<string, unknown> }
      errors?: { message: string; extensions: Problem }[]
    }
  }

  return {
    pathOf,
    get,
    post,
    graph,
    /** The answer of every door, which must be the same. */
    async everywhere<Answer = Table>(ask: ConnectorAsk, what: What = 'data'): Promise<Answer> {
      const field = what === 'data' ? 'connectorData' : 'connectorSchema'
      const [got, posted, { data, errors }] = await Promise.all([
        get(what, query(ask).toString()).then((response) => response.json()),
        post(what, ask).then((response) => response.json()),
        graph(what, ask),
      ])
      expect(errors).toBeUndefined()
      expect(posted).toEqual(got)
      expect(data.project[field]).toEqual(got)
      return got as Answer
    },
    /** How every door refuses, which must be the same: status, code and message. */
    async refusal(ask: ConnectorAsk, what: What = 'data'): Promise<string> {
      const [got, posted, { errors = [] }] = await Promise.all([
        get(what, query(ask).toString()).then((response) => response.json()),
        post(what, ask).then((response) => response.json()),
        graph(what, ask),
      ])
      assertProblem(got)
      assertProblem(posted)
      const told = ({ status, code, message, requiresUpgrade }: Problem) =>
        [status, code, message, ...(requiresUpgrade ? ['upgrade'] : [])].join(' ')
      const seen = told(got as Problem)
      expect(told(posted as Problem)).toBe(seen)
      expect(errors).toHaveLength(1)
      for (const { message, extensions } of errors) {
        // GraphQL names the fields of `window`.
        const isShared = !seen.includes('Date`')
        const same = isShared ? seen : expect.stringMatching(/^400 invalid_argument `window\./)
        expect(told({ ...extensions, message })).toEqual(same)
      }
      return seen
    },
  }
}
