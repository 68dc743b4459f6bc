import { z } from 'zod'
import {
  ProjectFactsDocument,
  type ProjectFactsQuery,
  ReachedProjectsDocument,
} from '../documents.ts'
import { rowsOf } from '../table.ts'
import { cursor, placeOf, table } from './schemas.ts'
import { tool } from './tool.ts'

type Node = ProjectFactsQuery['nodes'][number]
type ProjectFacts = Extract<Node, { readonly domain: string }>

const isProject = (node: Node): node is ProjectFacts => node !== null && 'domain' in node

export const listProjects = tool({
  name: 'list_projects',
  title: 'List projects',
  description:
    'Lists the projects (brands) that the key reaches, with the days that have answers, their AI platforms and the connected traffic data. Call it first.',
  input: z.strictObject({
    search: z.string().max(100).optional().describe('Part of a name or domain.'),
    limit: z.int().min(1).max(50).default(20),
    cursor,
  }),
  output: table,
  async run({ search = '', limit, cursor: after }, { ask, baseUrl }) {
    const { projects } = await ask(ReachedProjectsDocument, {})
    const has = (text: string) => text.toLowerCase().includes(search.toLowerCase())
    const found = projects.nodes.filter(({ name, domain }) => has(name) || has(domain))
    const place = placeOf(after)
    const ids = found.slice(place, place + limit).map(({ nodeId }) => nodeId)
    const { nodes } = await ask(ProjectFactsDocument, { ids })
    const shown = nodes.filter(isProject)
    const next = place + ids.length
    return {
      ...rowsOf(
        [
          ['id', ({ id }) => id],
          ['name', ({ name }) => name],
          ['domain', ({ domain }) => domain],
          ['kind', ({ kind }) => kind],
          ['status', ({ status }) => status],
          ['first_answer', ({ dataAvailable }) => dataAvailable?.from],
          ['last_answer', ({ dataAvailable }) => dataAvailable?.to],
          ['platforms', ({ platforms }) => platforms?.nodes.map(({ slug }) => slug).join(', ')],
          [
            'connected',
            ({ integrations: { searchConsole, webAnalytics, traffic } }) =>
              [
                searchConsole && 'search_console',
                webAnalytics && 'web_analytics',
                traffic && 'traffic',
              ]
                .filter(Boolean)
                .join(', '),
          ],
        ],
        shown,
      ),
      page: {
        returned: shown.length,
        total: found.length,
        ...(next < found.length && { next: String(next) }),
      },
      link: `${baseUrl}/`,
    }
  },
})
