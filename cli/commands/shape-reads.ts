import { notFound } from '../../core/errors.ts'
import type { Catalog } from '../../prisma/client.ts'
import type { Context, Outcome } from '../run.ts'
import { withCatalog } from '../stores.ts'
import { asColumns } from './change.ts'

const byName = [{ name: 'asc' as const }, { id: 'asc' as const }]
const projectFacts = {
  id: true,
  workspaceId: true,
  name: true,
  domain: true,
  kind: true,
  status: true,
  isActive: true,
} as const

/** What a project tracks. @throws {Fault} `not_found` */
async function readProject(db: Catalog, id: string) {
  const { isUuid } = await import('../../resolvers/shared/ids.ts')
  const byText = { select: { text: true, caseSensitive: true }, orderBy: { text: 'asc' } } as const
  const found = isUuid(id)
    ? await db.project.findUnique({
        where: { id },
        select: {
          ...projectFacts,
          description: true,
          industry: true,
          aliases: byText,
          ownDomains: { select: { domain: true }, orderBy: { domain: 'asc' } },
          competitors: {
            select: { id: true, name: true, domain: true, aliases: byText },
            orderBy: byName,
          },
          topics: { select: { id: true, name: true }, orderBy: byName },
          locations: {
            select: { id: true, city: true, region: true, countryCode: true },
            orderBy: [{ countryCode: 'asc' }, { city: 'asc' }, { id: 'asc' }],
          },
        },
      })
    : null
  if (!found) throw notFound()
  return { ...found, ownDomains: found.ownDomains.map(({ domain }) => domain) }
}

type Shown = Awaited<ReturnType<typeof readProject>>

/** As they are typed: with a leading `=` where the case counts. */
const namesOf = (aliases: Shown['aliases']) =>
  aliases.map(({ text, caseSensitive }) => (caseSensitive ? `=${text}` : text)).join(', ')

const stateOf = ({ status, isActive }: Pick<Shown, 'status' | 'isActive'>) =>
  isActive ? status : `${status}, switched off`

const placeOf = ({ city, region, countryCode }: Shown['locations'][number]) =>
  [city, region, countryCode].filter((part) => part !== null).join(', ')

const rivalsAsText = (competitors: Shown['competitors']) =>
  competitors.map(({ id, name, domain, aliases }) => [id, name, domain, namesOf(aliases)])

/** `project list` */
export async function listProjects(
  context: Context,
  { workspace }: { workspace?: string },
): Promise<Outcome> {
  const projects = await withCatalog(context, async (db) => {
    if (workspace !== undefined) await requireWorkspace(db, workspace)
    return db.project.findMany({
      where: workspace === undefined ? {} : { workspaceId: workspace },
      select: projectFacts,
      orderBy: byName,
    })
  })
  const rows = projects.map((each) => [each.id, stateOf(each), each.name, each.domain])
  return { json: { projects }, text: asColumns(rows, 'No projects.') }
}

/** `project show` */
export async function showProject(
  context: Context,
  _options: object,
  id: string,
): Promise<Outcome> {
  const project = await withCatalog(context, (db) => readProject(db, id))
  const facts = [
    ['Project', project.id],
    ['Workspace', project.workspaceId],
    ['Brand', project.name],
    ['Aliases', namesOf(project.aliases)],
    ['Domains', [project.domain, ...project.ownDomains].join(', ')],
    ['State', stateOf(project)],
    ['Industry', project.industry ?? ''],
    ['About', project.description ?? ''],
  ].filter(([, value]) => value !== '')
  const lists = [
    ['Competitors', rivalsAsText(project.competitors)],
    ['Topics', project.topics.map(({ id, name }) => [id, name])],
    ['Places', project.locations.map((place) => [place.id, placeOf(place)])],
  ] as const
  const parts = lists.flatMap(([title, rows]) =>
    rows.length === 0 ? [] : [`${title}\n${asColumns(rows, '').replaceAll(/^/gm, '  ')}`],
  )
  return { json: project, text: [asColumns(facts, ''), ...parts].join('\n\n') }
}

/** `competitor list` */
export async function listCompetitors(
  context: Context,
  { project }: { project: string },
): Promise<Outcome> {
  const { competitors } = await withCatalog(context, (db) => readProject(db, project))
  return { json: { competitors }, text: asColumns(rivalsAsText(competitors), 'No competitors.') }
}

/** @throws {Fault} `not_found` */
export async function requireWorkspace(db: Catalog, id: string): Promise<void> {
  const { isUuid } = await import('../../resolvers/shared/ids.ts')
  if (!isUuid(id) || (await db.workspace.count({ where: { id } })) === 0) throw notFound()
}
