import { beforeAll, describe, expect, test } from 'vitest'
import { importPageContents } from '../../imports/content/page-contents.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { askingRest, outcomeOf } from '../kit/prompts.ts'
import { sized } from '../kit/soak.ts'

const api = useApi()

let workspace: TestWorkspace
let key = ''
let project = ''

beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key({ scopes: ['admin'] })).key
})

const load = (of: string, lines: readonly (object | string)[]) => {
  async function* bytes() {
    const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
    yield Buffer.from(texts.join('\n'))
  }
  return importPageContents(api, { projectId: of, bytes: bytes() })
}

const rest = askingRest(
  api,
  () => project,
  () => key,
)
const graph = asking(api, () => key)

const page = {
  url: 'http://WWW.Example.com:80/a/?utm_source=x#top',
  title: 'A',
  content: 'The text of A.',
  fetchedAt: '2025-05-10T12:00:00.250Z',
}
const contentPath = (url: string) => `/sources/urls/content?url=${encodeURIComponent(url)}`

describe('the cached text of a page', () => {
  test('is found by any spelling of its URL, and shows in the list of cited URLs', async () => {
    const citations = [{ url: 'https://www.example.com/a' }, { url: 'https://www.example.com/b' }]
    await workspace.load(project, [{ citations }])
    const urls = async () => {
      const window = 'from=2025-05-01&to=2025-05-31'
      const { body } = await rest('GET', `/sources/urls?${window}`)
      const rows = body.urls as { url: string; hasContent: boolean }[]
      return rows.map(({ url, hasContent }) => [url, hasContent])
    }
    const a = 'https://www.example.com/a'
    expect(await urls()).toEqual([
      [a, false],
      ['https://www.example.com/b', false],
    ])
    expect(await load(project, [page])).toEqual({ read: 1, loaded: 1, skipped: 0, rejected: [] })
    expect(await urls()).toEqual([
      [a, true],
      ['https://www.example.com/b', false],
    ])
    const expected = { url: a, title: 'A', content: page.content, fetchedAt: page.fetchedAt }
    for (const spelling of [a, page.url, ` ${a}/?gclid=1`]) {
      expect((await rest('GET', contentPath(spelling))).body).toEqual(expected)
    }
    const fields = '{ url title content fetchedAt }'
    const { data } = await graph(
      `{ project(id: "${project}") { sourceContent(url: "${a}") ${fields} } }`,
    )
    expect(data).toEqual({ project: { sourceContent: expected } })
  })

  test('is not found where none is cached, and what is no URL is named', async () => {
    const cases = [
      [contentPath('https://www.example.com/none'), '404 not_found', 'https://x.com'],
      [contentPath('example'), '400 invalid_argument url', 'example'],
      ['/sources/urls/content', '400 invalid_argument url', ''],
    ] as const
    for (const [path, outcome, url] of cases) {
      expect(outcomeOf(await rest('GET', path))).toBe(outcome)
      const answer = await graph(
        `{ project(id: "${project}") { sourceContent(url: "${url}") { title } } }`,
      )
      expect(`${outcome.slice(0, 3)} ${faultIn(answer)}`).toBe(outcome)
    }
  })
})

describe('an import of page contents', () => {
  test('keeps the text that was fetched last, whatever comes last', async () => {
    const of = await workspace.project()
    const at = (fetchedAt: string, content: string) => ({ ...page, fetchedAt, content })
    const newest = at('2025-05-12T00:00:00+02:00', 'newest')
    await load(of, [newest, at('2025-05-11T00:00:00Z', 'older')])
    expect(await load(of, [at('2025-05-11T21:59:59Z', 'old'), newest])).toMatchObject({
      loaded: 0,
      skipped: 2,
    })
    const read = async () => {
      const path = `/api/mcp/projects/${of}${contentPath(page.url)}`
      return (await (await api.get(path, key)).json()) as { content: string }
    }
    expect((await read()).content).toBe('newest')
    await load(of, [at('2025-05-13T00:00:00Z', 'now')])
    expect((await read()).content).toBe('now')
  })

  test('tells each wrong line, and loads the rest', async () => {
    const of = await workspace.project()
    const { rejected, ...counts } = await load(of, [
      `\ufeff${JSON.stringify(page)}`,
      'no json',
      '',
      '[]',
      { ...page, url: 'ftp://example.com/' },
      { ...page, content: ' ' },
      { ...page, fetchedAt: '2999-01-01T00:00:00Z' },
      { ...page, fetchedAt: '2025-05-10' },
      { url: 'https://example.com/x' },
      { ...page, url: 'https://example.com/y', title: null, content: 'Lone \ud800 and NUL \0' },
      JSON.stringify(page).slice(0, 40),
    ])
    expect(counts).toEqual({ read: 10, loaded: 2, skipped: 0 })
    expect(
      rejected.map(({ line, reason }) => [
        line,
        reason
          .match(/^(The line is not [^:.]*)|`(\w+)`/)
          ?.slice(1)
          .find(Boolean),
      ]),
    ).toEqual([
      [2, 'The line is not valid JSON'],
      [4, 'The line is not a JSON object'],
      [5, 'url'],
      [6, 'content'],
      [7, 'fetchedAt'],
      [8, 'fetchedAt'],
      [9, 'content'],
      [11, 'The line is not valid JSON'],
    ])
  })

  const many = sized({ normal: 3_000, soak: 100_000 })

  test(`takes ${many} lines in the memory of some batches`, async () => {
    const of = await workspace.project()
    const content = 'x'.repeat(400)
    async function* bytes() {
      for (let i = 0; i < many; i++) {
        const url = `https://example.com/${i % (many / 5)}`
        yield Buffer.from(`${JSON.stringify({ ...page, url, content })}\n`)
      }
    }
    const before = process.memoryUsage().heapUsed
    let most = 0
    const onProgress = () => {
      most = Math.max(most, process.memoryUsage().heapUsed - before)
    }
    const result = await importPageContents(api, { projectId: of, bytes: bytes(), onProgress })
    expect(result).toEqual({ read: many, loaded: many * 0.2, skipped: many * 0.8, rejected: [] })
    expect(most).toBeLessThan(300 * 1024 * 1024)
  })

  test('is a mutation of the scope admin', async () => {
    const lines = JSON.stringify(`${JSON.stringify(page)}\nx`)
    const of = await workspace.project()
    const { data } = await graph(
      `mutation { importPageContents(projectId: "${of}", content: ${lines})
        { read loaded skipped rejected { line } } }`,
    )
    expect(data).toEqual({
      importPageContents: { read: 2, loaded: 1, skipped: 0, rejected: [{ line: 2 }] },
    })
  })
})
