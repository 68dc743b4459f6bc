import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect } from 'vitest'
import type { TypedDocumentString } from '../../dashboard/documents.ts'
import { createKey } from '../../resolvers/keys/keys.ts'
import { shown } from '../../web/share/numbers.ts'
import type { TestApi } from '../kit/api.ts'
import { makeTestDemo } from '../kit/demo.ts'
import type { TestBrowser } from '../kit/web/browser.ts'
import { ensureDashboard } from '../kit/web/dashboard.ts'

export const percent = (value: number | null | undefined) => shown(value ?? null, 'percent')

/** Pages of the dashboard over the demonstration, in June 2025. */
export function useDemoPages(api: TestApi, browser: TestBrowser) {
  const demo = randomUUID()
  const days = 'from=2025-06-01&to=2025-06-30'
  const window = { from: '2025-06-01', to: '2025-06-30' }
  /** Of the pages, and for what the test itself asks. */
  const keys = { page: '', test: '' }
  beforeAll(async () => {
    await ensureDashboard()
    await makeTestDemo(api, { projectId: demo, endDay: '2025-06-30' })
  }, 300_000)

  /** Each page costs dozens of the 600 units that a key has a minute: each test has keys of its own. */
  beforeEach(async () => {
    const { workspaceId } = await api.db.project.findUniqueOrThrow({ where: { id: demo } })
    const scopes = ['read' as const, 'write' as const]
    const capabilities = ['prompt:draft' as const]
    keys.page = (await createKey(api.db, { workspaceId, scopes, capabilities })).key
    keys.test = (await createKey(api.db, { workspaceId, scopes })).key
  })

  return {
    demo,
    days,
    window,
    keys,
    open: (page: string) =>
      browser.open(
        `${api.url}/projects/${demo}/${page}${page.includes('?') ? '&' : '?'}${days}#key=${keys.page}`,
      ),
    /** The answer of the graph to a question of the dashboard. */
    async asked<R, V>(document: TypedDocumentString<R, V>, variables = {}): Promise<R> {
      const all = { project: demo, window, ...variables }
      const answer = await api.graphql(document.toString(), keys.test, all)
      const { data, errors } = await answer.json()
      expect(errors).toBeUndefined()
      return data
    },
  }
}
