import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../../kit/api.ts'

const api = useApi()

type Workspace = Awaited<ReturnType<typeof api.workspace>>

let workspace: Workspace
let key = ''
let project = ''

const may = 'window: { from: "2025-05-01", to: "2025-05-31" }'
const answerOn = (day: string, prompt = 'p') => ({
  prompt,
  topic: prompt,
  collectedAt: `${day}T08:00:00Z`,
  text: day,
})

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key()).key
  project = await workspace.project()
  await workspace.load(
    project,
    ['01', '02', '03', '04', '05'].map((day) => answerOn(`2025-05-${day}`)),
  )
})

interface Connection {
  readonly nodes: readonly { readonly text: string }[]
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly text: string } }[]
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string | null
    readonly endCursor: string | null
  }
  readonly totalCount: number
}

interface Body {
  readonly data: { readonly project: Record<string, Connection> }
  readonly errors?: readonly {
    readonly extensions: {
      readonly code: string
      readonly details: { readonly fieldErrors: object }
    }
  }[]
}

const selection = `{ nodes { text } edges { cursor node { text } } totalCount
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`

async function ask(args: string, fields = selection, field = 'answers'): Promise<Body> {
  const text = `{ project(id: "${project}") { ${field}(${args}) ${fields} } }`
  return (await (await api.graphql(text, key)).json()) as Body
}

async function page(args: string): Promise<Connection> {
  const { data, errors } = await ask(args)
  expect(errors).toBeUndefined()
  return data.project.answers as Connection
}

const daysOf = ({ nodes }: Connection) => nodes.map(({ text }) => text.slice(-2))

/** The fields that a refusal names. */
async function refused(args: string, field = 'answers') {
  const { errors } = await ask(args, '{ nodes { id } }', field)
  const { code, details } = errors?.[0]?.extensions ?? {}
  return [code, ...Object.keys(details?.fieldErrors ?? {})]
}

describe('a connection', () => {
  test('is read page by page, each row once', async () => {
    const first = await page(`${may}, first: 2`)
    expect(daysOf(first)).toEqual(['05', '04'])
    expect(first).toMatchObject({
      totalCount: 5,
      pageInfo: { hasNextPage: true, hasPreviousPage: false },
    })
    const second = await page(`${may}, first: 2, after: "${first.pageInfo.endCursor}"`)
    expect(daysOf(second)).toEqual(['03', '02'])
    expect(second.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true })
    const last = await page(`${may}, first: 2, after: "${second.pageInfo.endCursor}"`)
    expect(daysOf(last)).toEqual(['01'])
    expect(last).toMatchObject({ totalCount: 5, pageInfo: { hasNextPage: false } })
    expect(daysOf(await page(`${may}, first: 5`))).toEqual(['05', '04', '03', '02', '01'])
  })

  test('goes on after the cursor of any edge', async () => {
    const all = await page(may)
    expect(all.edges.map(({ node }) => node)).toEqual(all.nodes)
    expect(all.pageInfo.startCursor).toBe(all.edges[0]?.cursor)
    expect(all.pageInfo.endCursor).toBe(all.edges[4]?.cursor)
    const next = await page(`${may}, first: 1, after: "${all.edges[2]?.cursor}"`)
    expect(daysOf(next)).toEqual(['02'])
  })

  test('without rows has no cursors', async () => {
    const none = await page('window: { from: "2025-03-01", to: "2025-03-02" }')
    expect(none).toEqual({
      nodes: [],
      edges: [],
      totalCount: 0,
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    })
  })

  test('clamps `first` as REST clamps `limit`, and refuses less than one row', async () => {
    expect(daysOf(await page(`${may}, first: 100000`))).toHaveLength(5)
    expect(await refused(`${may}, first: 0`)).toEqual(['invalid_argument', 'first'])
  })

  test('refuses a cursor of another list, other arguments or another project, and names `after`', async () => {
    const { endCursor } = (await page(`${may}, first: 1`)).pageInfo
    const after = `after: "${endCursor}"`
    expect(await refused(`${may}, filter: { mentioned: true }, ${after}`)).toEqual([
      'invalid_argument',
      'after',
    ])
    expect(await refused(`window: { days: 3 }, ${after}`)).toEqual(['invalid_argument', 'after'])
    expect(await refused(`${may}, after: "x.y"`)).toEqual(['invalid_argument', 'after'])
    const prompt = await api.db.prompt.findFirstOrThrow({ where: { projectId: project } })
    const edge = `{ answers(${may}, ${after}) { nodes { id } } }`
    const { errors } = await ask(`id: "${prompt.id}"`, edge, 'prompt')
    expect(errors?.[0]?.extensions.details.fieldErrors).toHaveProperty('after')
    const mine = project
    project = await workspace.project({ name: 'Other' })
    expect(await refused(`${may}, ${after}`)).toEqual(['invalid_argument', 'after'])
    project = mine
  })

  test('shows on later pages the data of its first page', async () => {
    const june = 'window: { from: "2025-06-01", to: "2025-06-30" }'
    await workspace.load(project, [answerOn('2025-06-01'), answerOn('2025-06-02')])
    const first = await page(`${june}, first: 1`)
    await workspace.load(project, [answerOn('2025-06-03')])
    const second = await page(`${june}, first: 1, after: "${first.pageInfo.endCursor}"`)
    expect([daysOf(first), daysOf(second), second.totalCount]).toEqual([['02'], ['01'], 2])
    expect(daysOf(await page(june))).toEqual(['03', '02', '01'])
  })
})
