import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, validate } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { publicSchema } from '../../schema/index.ts'
import { exampleQueries, projectPlaceholder } from '../../web/examples.ts'
import { useApi } from '../kit/api.ts'
import { makeTestDemo } from '../kit/demo.ts'
import { root } from '../kit/repository.ts'
import { isSoak } from '../kit/soak.ts'
import { emptyPaths } from './emptiness.ts'

const api = useApi()

const page = readFileSync(join(root, 'docs/graphql.md'), 'utf8')
const questions = [...page.matchAll(/^```graphql\nquery (\w+) ([\s\S]*?)^```$/gm)].map(
  ([, name = '', body = '']) => [name, `query ${name} ${body}`] as const,
)

const projectId = randomUUID()
let key = ''

test('the page has a question for each of its code blocks', () => {
  expect(questions.length).toBeGreaterThanOrEqual(7)
  expect(questions).toHaveLength(page.match(/^```graphql\nquery/gm)?.length ?? 0)
})

const blocks = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) =>
    [
      ...readFileSync(join(root, 'docs', name), 'utf8').matchAll(/^```graphql\n([\s\S]*?)^```$/gm),
    ].map(([, text = '']) => [name, text] as const),
  )

test('every document of the docs is valid', () => {
  expect(blocks.filter(([, text]) => text.startsWith('mutation')).length).toBeGreaterThanOrEqual(4)
  const faults = blocks.flatMap(([name, text]) =>
    validate(publicSchema, parse(text)).map(({ message }) => `${name}: ${message}`),
  )
  expect(faults).toEqual([])
})

if (isSoak) {
  beforeAll(async () => {
    const endDay = new Date().toISOString().slice(0, 10)
    const made = await makeTestDemo(api, { projectId, endDay })
    key = made.key
  })

  test.each(questions)('%s is answered from the demonstration', async (_name, text) => {
    const body = (await (await api.graphql(text, key)).json()) as {
      data: { projects: { nodes: [Record<string, unknown>] } }
      errors?: unknown
    }
    expect(body.errors).toBeUndefined()
    for (const value of Object.values(body.data.projects.nodes[0])) {
      expect(JSON.stringify(value)).not.toMatch(/^(null|\[\]|\{\})$/)
    }
  })

  describe("GraphiQL's tabs", () => {
    const isQuery = (query: string) => /^query /m.test(query)
    const queries = exampleQueries.filter(({ query }) => isQuery(query))
    const variablesOf = (title: string) => {
      const { variables = '{}' } = exampleQueries.find((tab) => tab.title === title) ?? {}
      return JSON.parse(variables.replaceAll(projectPlaceholder, projectId))
    }

    test.each(queries)(
      '"$title" has a value at every field and rows in every list',
      async ({ query }) => {
        const body = (await (await api.graphql(query, key)).json()) as {
          data: object
          errors?: unknown
        }
        expect(body.errors).toBeUndefined()
        expect(emptyPaths(body.data)).toEqual([])
      },
    )

    test('a refused change is data, and changes nothing', async () => {
      const [tab] = exampleQueries.filter(({ query }) => query.includes('mutation Refused'))
      const count = () => api.db.prompt.count({ where: { projectId } })
      const before = await count()
      const asked = await api.graphql(tab?.query ?? '', key, variablesOf(tab?.title ?? ''))
      expect(await asked.json()).toMatchObject({
        data: {
          noText: { __typename: 'InvalidInput', fields: [{ path: 'prompts.0.text' }] },
          noTopic: { __typename: 'NotFound', code: 'not_found' },
        },
      })
      expect(await count()).toBe(before)
    })
  })
}

test('a path is empty when no object has a value there', () => {
  const answer = {
    rows: [
      { a: null, b: [] },
      { a: 1, b: [] },
    ],
    none: null,
  }
  expect(emptyPaths(answer)).toEqual(['rows.b', 'none'])
})
