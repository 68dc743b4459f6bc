import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, validate } from 'graphql'
import { beforeAll, expect, test } from 'vitest'
import { publicSchema } from '../../schema/index.ts'
import { useApi } from '../kit/api.ts'
import { makeTestDemo } from '../kit/demo.ts'
import { root } from '../kit/repository.ts'

const api = useApi()

const page = readFileSync(join(root, 'docs/graphql.md'), 'utf8')
const questions = [...page.matchAll(/^```graphql\nquery (\w+) ([\s\S]*?)^```$/gm)].map(
  ([, name = '', body = '']) => [name, `query ${name} ${body}`] as const,
)

let key = ''

beforeAll(async () => {
  const endDay = new Date().toISOString().slice(0, 10)
  const made = await makeTestDemo(api, { projectId: randomUUID(), endDay })
  key = made.key
})

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
