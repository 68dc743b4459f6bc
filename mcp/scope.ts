import { isUuid } from '../core/uuid.ts'
import { ProjectNamesDocument, ReachedProjectsDocument } from './documents.ts'
import { type Ask, Refused, wrongArgument } from './run.ts'
import { plain } from './untrusted.ts'

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** The id of a project by its id, its exact name or its domain. */
export async function projectIdOf(ask: Ask, project: string): Promise<string> {
  if (isUuid(project)) return project
  const { projects } = await ask(ReachedProjectsDocument, {})
  const found = projects.nodes.filter(({ name, domain }) =>
    [name, domain].some((known) => isSame(known, project)),
  )
  const [only] = found
  if (only && found.length === 1) return only.id
  if (found.length > 1) {
    const ids = found.map(({ id, domain }) => `${id} (${domain})`).join(', ')
    throw wrongArgument(`${found.length} projects are called "${project}".`, `Send an id: ${ids}.`)
  }
  const names = projects.nodes.map(({ name }) => plain(name)).slice(0, 30)
  throw new Refused(
    'not_found',
    `No project "${plain(project)}".`,
    names.length > 0 ? `There are: ${names.join(', ')}.` : 'The key reaches none.',
  )
}

/** Ids of topics and brands of a project, by id or by name. */
export async function idsOf(
  ask: Ask,
  project: string,
  { topics, brand }: { readonly topics?: readonly string[]; readonly brand?: string },
): Promise<{ topicIds?: string[]; brandId?: string }> {
  if (!topics && brand === undefined) return {}
  const found = (await ask(ProjectNamesDocument, { project })).project
  const known = found?.topics?.nodes ?? []
  const brands = [...(found ? [found.ownBrand] : []), ...(found?.competitors?.nodes ?? [])]
  const idIn = (
    kind: string,
    all: readonly { readonly id: string; readonly name: string }[],
    given: string,
  ) => {
    const one = all.find(({ id, name }) => id === given || isSame(name, given))
    if (one) return one.id
    const names = all.map(({ name }) => name).slice(0, 30)
    throw wrongArgument(
      `No ${kind} "${given}" in this project.`,
      names.length > 0 ? `There are: ${names.join(', ')}.` : `It has no ${kind}.`,
    )
  }
  return {
    ...(topics && { topicIds: topics.map((topic) => idIn('topic', known, topic)) }),
    ...(brand !== undefined && { brandId: idIn('brand', brands, brand) }),
  }
}
