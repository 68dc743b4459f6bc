import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'

/** Lists stop at one megabyte. */
const api = useApi({}, undefined, { limits: { maxResponseBytes: 1024 ** 2 } })
let key = ''
let project = ''

const window = 'from=2025-05-01&to=2025-05-31'
const days = 'window: { from: "2025-05-01", to: "2025-05-31" }'
/** Three of these texts fit into a megabyte, and the fourth does not. */
const long = 'A long answer. '.repeat(20_000)
const times = Array.from({ length: 8 }, (_, i) => `2025-05-${10 + i}T08:00:00Z`)
const newestFirst = times.toReversed()

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key()).key
  await workspace.load(
    project,
    times.map((collectedAt) => ({ collectedAt, text: long })),
  )
})

const pathOf = (rest: string) => `/api/mcp/projects/${project}${rest}`
const read = async (path: string) => {
  const reply = await api.get(path, key)
  return { reply, body: await reply.json() }
}
const ask = async (fields: string) =>
  (await api.graphql(`{ project(id: "${project}") { ${fields} } }`, key)).json()

describe('answers with long texts', () => {
  test('come by REST as many as fit, and go on where they stopped', async () => {
    const seen: string[] = []
    const counts: number[] = []
    for (let offset = 0; seen.length < times.length; ) {
      const { body } = await read(pathOf(`/answers?${window}&offset=${offset}`))
      seen.push(...body.answers.map((row: { collectedAt: string }) => row.collectedAt))
      counts.push(body.pagination.returnedCount)
      const hasMore = seen.length < times.length
      expect(body.pagination).toMatchObject({ offset, totalCount: 8, hasMore, limit: 50 })
      expect(body.pagination.nextOffset).toBe(seen.length)
      offset = body.pagination.nextOffset
    }
    expect(counts).toEqual([3, 3, 2])
    expect(seen.map((time) => time.replace('.000', ''))).toEqual(newestFirst)
  })

  test('come by GraphQL as many as fit, and go on where they stopped', async () => {
    const seen: string[] = []
    const counts: number[] = []
    for (let after = 'null'; after !== ''; ) {
      const list = `answers(${days}, first: 50, after: ${after}) { nodes { collectedAt text } pageInfo { hasNextPage endCursor } }`
      const { data, errors } = await ask(list)
      expect(errors).toBeUndefined()
      const { nodes, pageInfo } = data.project.answers
      seen.push(...nodes.map((row: { collectedAt: string }) => row.collectedAt))
      counts.push(nodes.length)
      after = pageInfo.hasNextPage ? JSON.stringify(pageInfo.endCursor) : ''
    }
    expect(counts).toEqual([3, 3, 2])
    expect(seen.map((time) => time.replace('.000', ''))).toEqual(newestFirst)
  })

  test('share the response: a list for which nothing is left says so, and its neighbours stay', async () => {
    const list = `(${days}, first: 50) { nodes { id } pageInfo { hasNextPage } }`
    const { data, errors } = await ask(`a: answers${list} b: answers${list} c: answers${list} name`)
    const { a, b, c } = data.project
    const counts = [a, b, c].map((one) => one?.nodes.length ?? 0)
    // A list takes one row while anything is left.
    expect(counts.sort()).toEqual([0, 1, 3])
    for (const one of [a, b, c]) if (one) expect(one.pageInfo.hasNextPage).toBe(true)
    expect(data.project.name).toBe('Acme')
    expect(errors).toHaveLength(1)
    expect(errors[0].extensions).toMatchObject({ code: 'query_too_large', status: 400 })
  })

  test('that are larger than a response come alone', async () => {
    const workspace = await api.workspace()
    const other = await workspace.project()
    const reader = (await workspace.key()).key
    await workspace.load(
      other,
      times.slice(0, 2).map((collectedAt) => ({ collectedAt, text: long.repeat(5) })),
    )
    const first = await (
      await api.get(`/api/mcp/projects/${other}/answers?${window}`, reader)
    ).json()
    expect(first.pagination).toMatchObject({ returnedCount: 1, hasMore: true, nextOffset: 1 })
    const [{ id, text }] = first.answers
    expect(text).toHaveLength(5 * long.length)
    const one = await (await api.get(`/api/mcp/projects/${other}/answers/${id}`, reader)).json()
    expect(one.answer.text).toBe(text)
  })
})

describe('what no list shortens', () => {
  test('is a problem in both doors', async () => {
    const aliases = Array.from({ length: 25 }, (_, i) => `t${i}: text`).join(' ')
    const reply = await api.graphql(
      `{ project(id: "${project}") { answers(${days}, first: 3) { nodes { ${aliases} } } } }`,
      key,
    )
    expect(reply.status).toBe(400)
    const { errors, data } = await reply.json()
    expect(data ?? null).toBeNull()
    expect(errors[0].extensions).toMatchObject({ code: 'query_too_large', status: 400 })

    const id = randomUUID()
    const piece = {
      id,
      projectId: project,
      source: 'legacy',
      slug: 'long',
      title: 'Long',
      urlPath: '/long',
      status: 'published',
      type: 'guide',
      visibility: 'public',
      wordCount: 1,
      isPillar: false,
      content: 'x'.repeat(18 * 1024 ** 2),
    }
    await api.db.article.create({
      data: { ...piece, createdAt: new Date(), updatedAt: new Date() },
    })
    const { reply: refused, body } = await read(pathOf(`/articles/${id}`))
    expect(refused.status).toBe(400)
    expect(body).toMatchObject({ code: 'query_too_large', status: 400 })
  })
})

describe('pages of the site', () => {
  const title = 'A title. '.repeat(2000)
  const urls = Array.from({ length: 100 }, (_, i) => `https://acme.com/${100 + i}`)

  beforeAll(async () => {
    const at = { createdAt: new Date(), updatedAt: new Date() }
    const texts = { slug: 'x', type: 'page', title, description: '' }
    await api.db.page.createMany({
      data: urls.map((url) => ({ projectId: project, url, ...texts, ...at })),
    })
  })

  test('lead on by a header in REST', async () => {
    const seen: string[] = []
    let path: string | undefined = pathOf('/pages')
    while (path !== undefined) {
      const { reply, body } = await read(path)
      expect(Number(reply.headers.get('content-length'))).toBeLessThan(1024 ** 2)
      seen.push(...body.pages.map((page: { url: string }) => page.url))
      path = /^<(.+)>; rel="next"$/.exec(reply.headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual(urls)
    expect((await read(pathOf('/pages?limit=20&offset=80'))).reply.headers.get('link')).toBeNull()
  })

  test('lead on by a cursor in the graph', async () => {
    const seen: string[] = []
    for (let after = 'null'; after !== ''; ) {
      const list = `pages(first: 100, after: ${after}) { nodes { url } pageInfo { hasNextPage endCursor } }`
      const { nodes, pageInfo } = (await ask(list)).data.project.pages
      seen.push(...nodes.map((page: { url: string }) => page.url))
      expect(nodes.length).toBeLessThan(60)
      after = pageInfo.hasNextPage ? JSON.stringify(pageInfo.endCursor) : ''
    }
    expect(seen).toEqual(urls)
  })
})

describe('cited URLs with long titles', () => {
  const urls = Array.from({ length: 9 }, (_, i) => `https://long.example/${i}`)
  const citations = urls.map((url) => ({ url, title: 'A long title. '.repeat(20_000) }))
  let path = ''

  beforeAll(async () => {
    const workspace = await api.workspace()
    const cited = await workspace.project()
    key = (await workspace.key()).key
    await workspace.load(cited, [
      { collectedAt: '2025-05-10T08:00:00Z', text: 'Read these.', citations },
    ])
    path = `/api/mcp/projects/${cited}/sources/urls?${window}`
  })

  test('stop at the bytes of a response, and lead on by their cursor', async () => {
    const seen: string[] = []
    for (let cursor = ''; seen.length < urls.length; ) {
      const { body } = await read(`${path}${cursor}`)
      seen.push(...body.urls.map((row: { url: string }) => row.url))
      expect(body).toMatchObject({ totalUrls: 9, hasMore: seen.length < 9 })
      expect(body.urls).toHaveLength(3)
      cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`
    }
    expect(seen.sort()).toEqual(urls)
  })

  test('stop in CSV too, and lead on by a header', async () => {
    const seen: string[] = []
    let next: string | undefined = `${path}&format=csv`
    while (next !== undefined) {
      const reply: Response = await api.get(next, key)
      const rows = (await reply.text())
        .split('\r\n')
        .filter((line) => line.includes('long.example/'))
      expect(rows).toHaveLength(3)
      seen.push(...rows.map((row) => /https:\/\/long.example\/\d/.exec(row)?.[0] ?? ''))
      next = /^<(.+)>; rel="next"$/.exec(reply.headers.get('link') ?? '')?.[1]
    }
    expect(seen.sort()).toEqual(urls)
  })
})
