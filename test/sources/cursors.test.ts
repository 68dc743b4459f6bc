import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { clearOfMidnight } from '../kit/day.ts'

await clearOfMidnight()
const now = new Date().toISOString()
const today = now.slice(0, 10)

const api = useApi()
let key = ''
let base = ''
let topic = ''

/** An answer of ChatGPT in Berlin, collected now, that cites three domains. */
beforeAll(async () => {
  const workspace = await api.workspace()
  const project = await workspace.project()
  key = (await workspace.key()).key
  base = `/api/mcp/projects/${project}`
  const citations = ['a.com/1', 'b.com/2', 'c.com/3'].map((path) => ({ url: `https://${path}` }))
  const answer = { collectedAt: now, topic: 'Shoes', citations }
  await workspace.load(project, [{ ...answer, location: 'Berlin, Germany' }])
  topic = (await api.db.topic.findFirstOrThrow({ where: { projectId: project } })).id
})

interface Page {
  readonly sources?: readonly { readonly domain: string }[]
  readonly urls?: readonly { readonly domain: string }[]
  readonly nextCursor: string
}

async function read(list: string, filters: string, cursor = '') {
  const after = cursor && `&cursor=${cursor}`
  const response = await api.get(`${base}/sources/${list}?limit=1${filters}${after}`, key)
  const page = (await response.json()) as Page
  const rows = page.sources ?? page.urls ?? []
  return { status: response.status, next: page.nextCursor, rows: rows.map((row) => row.domain) }
}

test.each([
  ['a platform by an alias, and twice', '&platform=OpenAI,claude', '&platform=Claude,chatgpt,gpt'],
  ['a country by its name', '&country=Germany', '&country=de'],
  ['the days of the default', '', '&days=30'],
  ['the default as days', '&days=30', ''],
  ['flags that filter nothing', '&branded=false&unbranded=false', ''],
  ['types in another order', '&sourceType=brand,other', '&sourceType=other,brand'],
  ['days as times', `&from=${today}&to=${today}`, `&from=${today}T09:00:00Z&to=${today}`],
  ['days as dates', '&days=1', `&from=${today}&to=${today}`],
])('a cursor goes on with the same filters in other words: %s', async (_case, one, other) => {
  for (const list of ['domains', 'urls']) {
    const first = await read(list, one)
    expect(first).toMatchObject({ status: 200, rows: ['a.com'] })
    expect(await read(list, other, first.next)).toMatchObject({ status: 200, rows: ['b.com'] })
  }
})

test('a cursor takes the id of a topic in capitals', async () => {
  const { next } = await read('domains', `&topicId=${topic}`)
  const same = await read('domains', `&topicId=${topic.toUpperCase()}`, next)
  expect(same).toMatchObject({ status: 200, rows: ['b.com'] })
})

test.each(['&platform=claude', '&days=29', '&country=FR', '&unbranded=true', '&sourceType=brand'])(
  'a cursor is refused with other filters: %s',
  async (other) => {
    const { next } = await read('domains', '')
    expect((await read('domains', other, next)).status).toBe(400)
  },
)

test.each(['domains', 'urls'])('a page of %s with a next one has not changed', async (list) => {
  const path = `${base}/sources/${list}?limit=1`
  const first = await api.get(path, key)
  expect(((await first.json()) as Page).nextCursor).not.toBeNull()
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
  expect((await api.get(path, key, headers)).status).toBe(304)
})
