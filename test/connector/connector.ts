import { expect } from 'vitest'
import type { TestApi } from '../kit/api.ts'
import { assertProblem } from '../kit/rest/problem-schema.ts'

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
  schema: (args: string) => `connectorSchema(${args}) { fields { id: name label type role } }`,
  data: (args: string) => `connectorData(${args}) {
    schema { id: name label type role } nodes { values } totalCount pageInfo { hasNextPage endCursor }
  }`,
}

/** The arguments as GraphQL writes them: the dataset is an enum. */
function argumentsOf(ask: ConnectorAsk): string {
  const { startDate, endDate, limit, offset: _offset, ...rest } = ask
  const size = limit === undefined ? {} : { first: limit }
  const given = Object.entries({ ...rest, ...size }).map(
    ([name, value]) => `${name}: ${name === 'dataset' ? value : JSON.stringify(value)}`,
  )
  if (startDate === undefined && endDate === undefined) return given.join(', ')
  const days = Object.entries({ from: startDate, to: endDate }).flatMap(([name, day]) =>
    day === undefined ? [] : [`${name}: ${JSON.stringify(day)}`],
  )
  return [...given, `window: { ${days.join(', ')} }`].join(', ')
}

interface Connection {
  readonly schema: readonly Field[]
  readonly nodes: readonly { readonly values: readonly Cell[] }[]
  readonly totalCount: number
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** A table as both doors say it. */
const inGraph = ({ schema, nodes, totalCount, pageInfo }: Connection) => ({
  schema,
  totalCount,
  hasMore: pageInfo.hasNextPage,
  rows: nodes.map(({ values }) => values),
})
const withoutPlace = ({ schema, rows, pagination: { totalCount, hasMore } }: Table) => {
  return { schema, totalCount, hasMore, rows }
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

  /** The cursor of the row before the offset; none where the list has no such row. */
  async function cursorAt({ offset, ...ask }: ConnectorAsk): Promise<{ after?: string }> {
    // `first` has 32 bits in GraphQL, and is clamped far below them.
    const limit = Math.min(Number(offset), 2 ** 31 - 1)
    const { data } = await graph('data', { ...ask, limit })
    const { endCursor } = (data.project.connectorData as Connection).pageInfo
    return endCursor === null ? {} : { after: endCursor }
  }

  async function graph(what: What, ask: ConnectorAsk, given?: string | null) {
    if (given) return send(what, { ...ask, after: given })
    const after = what === 'data' && ask.offset ? await cursorAt(ask) : {}
    return send(what, { ...ask, ...after })
  }

  async function send(what: What, ask: ConnectorAsk & { readonly after?: string }) {
    const call = selections[what](argumentsOf(ask))
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
    /** The cursor of the last row of a page in GraphQL. */
    async cursor(ask: ConnectorAsk): Promise<string | null> {
      const { data } = await graph('data', ask)
      return (data.project.connectorData as Connection).pageInfo.endCursor
    },
    /** The answer of every door, which must be the same. */
    async everywhere<Answer = Table>(
      ask: ConnectorAsk,
      what: What = 'data',
      after?: string | null,
    ): Promise<Answer> {
      const field = what === 'data' ? 'connectorData' : 'connectorSchema'
      const [got, posted, { data, errors }] = await Promise.all([
        get(what, query(ask).toString()).then((response) => response.json()),
        post(what, ask).then((response) => response.json()),
        graph(what, ask, after),
      ])
      expect(errors).toBeUndefined()
      expect(posted).toEqual(got)
      const answer = data.project[field]
      expect(what === 'data' ? inGraph(answer as Connection) : answer).toEqual(
        what === 'data' ? withoutPlace(got as Table) : got,
      )
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
        const inGraphOnly = /^400 invalid_argument `(window\.|first)/
        const isShared = !/Date`|`limit`/.test(seen)
        const same = isShared ? seen : expect.stringMatching(inGraphOnly)
        expect(told({ ...extensions, message })).toEqual(same)
      }
      return seen
    },
  }
}
