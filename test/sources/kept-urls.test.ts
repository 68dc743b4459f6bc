import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { importPageContents } from '../../imports/content/page-contents.ts'
import { undoImport } from '../../imports/loads/undo.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { writeTexts } from '../../worker/audit/texts.ts'
import { useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { replyLookups } from '../kit/rest/fresh-api.ts'

/** Pages of cited URLs, and texts of pages, are kept while no text of the project changes. */

const api = useApi()

let key = ''
let project = ''

const url = 'https://example.org/a'
const window = { from: '2025-05-01', to: '2025-05-31' }
const graph = asking(api, () => key)

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key()).key
  await workspace.load(project, [{ citations: [{ url }] }])
})

const paths = () => {
  const range = new URLSearchParams(window)
  const lists = ['sources/urls', 'sources/domains/example.org/urls'].map((at) => `${at}?${range}`)
  return lists.map((path) => `/api/mcp/projects/${project}/${path}`)
}

const contentPath = () =>
  `/api/mcp/projects/${project}/sources/urls/content?url=${encodeURIComponent(url)}`

/** Whether each list of REST and of GraphQL says that there is a text, and the text at each door. */
async function shown() {
  const lists = await Promise.all(
    paths().map(async (path) => {
      const { urls } = (await (await api.get(path, key)).json()) as {
        urls: { hasContent: boolean }[]
      }
      return urls.map(({ hasContent }) => hasContent)
    }),
  )
  const range = `window: { from: "${window.from}", to: "${window.to}" }`
  const { data } = await graph(`{ project(id: "${project}") {
    sourceUrls(${range}) { nodes { hasContent } }
    sourceUrl(url: "${url}", ${range}) { hasContent content { content } }
  } }`)
  const found = data.project as {
    sourceUrls: { nodes: { hasContent: boolean }[] }
    sourceUrl: { hasContent: boolean; content: { content: string } | null }
  }
  const listed = [...found.sourceUrls.nodes, found.sourceUrl].map(({ hasContent }) => hasContent)
  const text = (await (await api.get(contentPath(), key)).json()) as { content?: string }
  return {
    lists: [...lists.flat(), ...listed],
    texts: [text.content ?? null, found.sourceUrl.content?.content ?? null],
  }
}

const without = { lists: [false, false, false, false], texts: [null, null] }
const withText = (content: string) => ({
  lists: [true, true, true, true],
  texts: [content, content],
})

/** What the memory of a door finds of one round, and what it does not. */
async function lookedUp(cache: string) {
  const before = await replyLookups(api, cache)
  await shown()
  const after = await replyLookups(api, cache)
  return [after.hits - before.hits, after.misses - before.misses]
}

async function* bytesOf(line: object) {
  yield Buffer.from(JSON.stringify(line))
}

const importText = (content: string, fetchedAt: string) =>
  importPageContents(api, {
    projectId: project,
    bytes: bytesOf({ url, content, fetchedAt }),
  })

test('an import of a text, its undoing, and a text of an audit show at once', async () => {
  expect(await shown()).toEqual(without)
  await importText('One.', '2025-05-10T12:00:00Z')
  expect(await shown()).toEqual(withText('One.'))
  // Nothing has changed: the lists and the text at REST, and the document, come from memory.
  expect([await lookedUp('replies'), await lookedUp('answers')]).toEqual([
    [3, 0],
    [1, 0],
  ])
  await importText('Two.', '2025-05-11T12:00:00Z')
  expect(await shown()).toEqual(withText('Two.'))
  const imports = await api.db.import.findMany({ where: { projectId: project } })
  for (const { id } of imports.filter(({ kind }) => kind === 'page_contents')) {
    await undoImport(api, commandLine, { projectId: project, importId: id })
  }
  expect(await shown()).toEqual(without)
  const audit = await api.db.audit.create({
    data: { projectId: project, pageCount: 1, isWholeSite: true },
  })
  const read = { auditId: audit.id, pageId: randomUUID(), url, title: 'A', content: 'Read.' }
  await api.db.auditText.create({ data: read })
  expect(await shown()).toEqual(without)
  await writeTexts(api, audit.id)
  expect(await shown()).toEqual(withText('Read.'))
  expect(await lookedUp('replies')).toEqual([3, 0])
})
