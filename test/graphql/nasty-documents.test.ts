import {
  type DocumentNode,
  type ExecutionArgs,
  execute,
  getIntrospectionQuery,
  parse,
  validate,
} from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { projectsOfDocuments } from '../../plugins/cache/document.ts'
import { comparable } from '../../plugins/document-list.ts'
import { useIntrospection } from '../../plugins/introspection.ts'
import { operationLabel } from '../../plugins/operation-name.ts'
import { rootFieldsOf } from '../../plugins/root-fields.ts'
import { documentFaults, publicSchema, variableError } from '../../schema/index.ts'
import { useApi } from '../kit/api.ts'
import { cpuMsOf } from '../kit/cpu.ts'
import { sized } from '../kit/soak.ts'
import { type NastyDocument, nastyDocuments } from './nasty-documents.ts'

/** Documents that a walk may take long over: each step on their way takes a time in proportion to their size. */

const api = useApi()
let project = ''
let key = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key()).key
})

const sizes = sized({ normal: [24], soak: [3, 6, 9, 12, 15, 18, 20, 22, 23, 24] })
const nasty = sizes.flatMap((n) =>
  Object.entries(nastyDocuments(n)).map(([name, document]) => [n, name, document] as const),
)

/** Far above what any of them takes, and far below what a walk does that reads a fragment for each of its spreads. */
const mostMs = 600

function parsed({ query }: NastyDocument): DocumentNode | undefined {
  try {
    return parse(query, { maxTokens: 2000 })
  } catch {
    return undefined
  }
}

const walks: Readonly<Record<string, (asked: ExecutionArgs) => void>> = {
  'its faults': ({ document }) => {
    documentFaults(publicSchema, document, validate(publicSchema, document))
  },
  'its variables': (asked) => void variableError(asked),
  'its name in metrics': ({ document }) => void operationLabel(document, null, false),
  'its root fields': (asked) => void rootFieldsOf(asked, ['query', 'mutation', 'subscription']),
  'its projects': (asked) => void projectsOfDocuments(() => true)(asked),
  'its form in a list': ({ document }) => void comparable(document),
}

describe('a document with too much of something', () => {
  test.each(nasty)('of size %i is read in a moment by each walk: %s', (_n, _name, given) => {
    const document = parsed(given)
    if (!document) return
    const { variables: variableValues = {} } = given
    const asked: ExecutionArgs = { schema: publicSchema, document, variableValues }
    for (const [what, walk] of Object.entries(walks)) {
      // What GraphQL refuses, no later walk reads.
      const attempt = () => {
        try {
          walk(asked)
        } catch (error) {
          expect(String(error)).toMatch(/aborted|Argument/)
        }
      }
      expect(cpuMsOf(attempt), what).toBeLessThan(mostMs)
    }
  })
})

interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly errors?: readonly {
    readonly message: string
    readonly extensions: { readonly code: string }
  }[]
}

async function ask(query: string, variables?: object, of = api, as = key) {
  const response = await of.graphql(query, as, variables)
  const { data, errors } = (await response.json()) as Answer
  const { status, headers } = response
  const code = errors?.[0]?.extensions.code
  return { status, cost: headers.get('x-query-cost'), data, ...(code && { code }) }
}

describe('the service', () => {
  test.each(nasty)('answers a document of size %i or refuses it: %s', async (_n, _name, given) => {
    const as = (await (await api.workspace()).key()).key
    const before = process.threadCpuUsage()
    const { status } = await ask(given.query, given.variables, api, as)
    const { user, system } = process.threadCpuUsage(before)
    expect([200, 400]).toContain(status)
    expect((user + system) / 1000).toBeLessThan(3 * mostMs)
  })

  test('refuses a document whose fragments multiply, however often it comes', async () => {
    const { query } = nastyDocuments(24)['fragments of the root'] ?? { query: '' }
    for (let i = 0; i < 3; i++) {
      expect(await ask(query)).toMatchObject({ status: 400, code: 'query_too_costly' })
    }
  })

  test('refuses a document whose cost an argument hides', async () => {
    const query = `query Q($id: ID = "x") {
      hidden: project(id: $id) { name }
      project(id: "${project}") { name }
    }`
    expect(await ask(query, { id: null })).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      cost: '1',
    })
  })
})

describe('an introspection', () => {
  test('stands in a document once', async () => {
    const two = '{ one: __schema { queryType { name } } two: __schema { queryType { name } } }'
    expect(await ask(two)).toMatchObject({ status: 400, code: 'query_too_costly' })
    const merged = '{ __schema { queryType { name } } __schema { mutationType { name } } }'
    expect(await ask(merged)).toMatchObject({ status: 200 })
  })

  test('costs by the values that it gives, those of aliases too', async () => {
    const whole = await ask(getIntrospectionQuery())
    expect(whole).toMatchObject({ status: 200 })
    expect(Number(whole.cost)).toBeGreaterThan(1)
    const fields = 'fields { name description args { name description type { name } } }'
    const many = Array.from({ length: 28 }, (_, i) => `a${i}: ${fields}`).join(' ')
    expect(await ask(`{ __schema { types { ${many} } } }`)).toMatchObject({
      status: 400,
      code: 'query_too_costly',
    })
  })

  test('is answered from the cache as it was made', async () => {
    const query = '{ __schema { queryType { name fields { name } } } __typename }'
    const [first, second] = [await ask(query), await ask(query)]
    expect(first).toMatchObject({ status: 200, data: { __typename: 'Query' } })
    expect(second).toEqual(first)
    const named = 'query Q($name: String!) { __type(name: $name) { name } }'
    expect(await ask(named, { name: 'Project' })).toMatchObject({
      data: { __type: { name: 'Project' } },
    })
    expect(await ask(named, { name: 'Topic' })).toMatchObject({
      data: { __type: { name: 'Topic' } },
    })
  })

  test('is made once for all who ask at once', async () => {
    let made = 0
    const { onExecute } = useIntrospection({ turn: async () => {}, maxWorkBytes: 0 })
    const document = parse('{ __schema { types { name } } }')
    const args = { schema: publicSchema, document, contextValue: { principal: { keyId: 'key' } } }
    let answer: (asked: ExecutionArgs) => unknown = () => undefined
    onExecute?.({
      args,
      executeFn: (asked: ExecutionArgs) => {
        made++
        return execute(asked)
      },
      setExecuteFn: (found: typeof answer) => {
        answer = found
      },
    } as never)
    await Promise.all(Array.from({ length: 19 }, () => answer(args)))
    expect(made).toBe(1)
  })
})
