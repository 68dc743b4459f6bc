import { expect } from 'vitest'
import { graphWord } from '../../schema/kit/words.ts'
import type { AnswerLine, TestApi } from '../kit/api.ts'
import { flat } from '../kit/graphql/flat.ts'

/** A window of ten days, and the ten days before, in which `answersOn` puts answers of days 11 to 20 and 1 to 10. */
export const range = { from: '2025-05-11', to: '2025-05-20' }
export const previousRange = { from: '2025-05-01', to: '2025-05-10' }
export const window = `from=${range.from}&to=${range.to}`
export const dates = `from: "${range.from}", to: "${range.to}"`

export interface Driver {
  readonly dimension: string
  readonly key: string
  readonly label: string
  readonly [name: string]: unknown
}

export interface Report {
  readonly drivers: readonly Driver[]
  readonly evidence: readonly Record<string, string>[]
  readonly [name: string]: unknown
}

const shown = `metric current previous change interval { low high } isSignificant
  drivers { dimension key label contribution current previous rateEffect mixEffect }
  evidence { answerId: answer { id } promptId: prompt { id } platform { slug } date excerpt }
  dateRange { from to } previousRange { from to }`

/** Asks for an investigation through each door. */
export function investigateDoors(api: TestApi, key: () => string) {
  async function rest(project: string, query: string) {
    const response = await api.get(`/api/mcp/projects/${project}/investigate?${query}`, key())
    return { status: response.status, body: (await response.json()) as Report }
  }
  async function graph(project: string, args: string, fields = shown) {
    const query = `{ project(id: "${project}") { investigate(${args}) { ${fields} } } }`
    const answer = (await (await api.graphql(query, key())).json()) as {
      data: { project: { investigate: Report } } | null
      errors?: { message: string; extensions: { code: string } }[]
    }
    return { report: flat(answer.data?.project.investigate), errors: answer.errors }
  }
  /** The answer of REST, which GraphQL must give alike. */
  async function everywhere(project: string, metric: string) {
    const { body } = await rest(project, `metric=${metric}&${window}`)
    const inGraph = graphWord(metric)
    const { report, errors } = await graph(project, `metric: ${inGraph}, window: { ${dates} }`)
    expect(errors).toBeUndefined()
    const { project: reference, ...shared } = body
    const flat = { ...shared, metric: inGraph }
    expect(reference).toMatchObject({ id: project, name: 'Acme' })
    expect(report).toEqual(flat)
    return body
  }
  return { rest, graph, everywhere }
}

/** The drivers of one dimension. */
export const of = (report: Report, dimension: string) =>
  report.drivers.filter((driver) => driver.dimension === dimension)

/** Label, contribution, current and previous of the drivers of one dimension. */
export const rowsOf = (report: Report, dimension: string) =>
  of(report, dimension).map(({ label, contribution, current, previous }) => [
    label,
    contribution,
    current,
    previous,
  ])

/** `count` answers from second `at` of a day, of which the first `named` name Acme. */
export function answersOn(
  line: AnswerLine & { day: number },
  count: number,
  named: number,
  at = 0,
) {
  const { day, ...rest } = line
  return Array.from({ length: count }, (_, i): AnswerLine => {
    const time = new Date(Date.UTC(2025, 4, day, 8, 0, at + i)).toISOString()
    return { ...rest, collectedAt: time, text: i < named ? 'Take Acme.' : 'Take none.' }
  })
}
