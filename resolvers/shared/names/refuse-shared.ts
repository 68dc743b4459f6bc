import { invalid } from '../../../core/errors.ts'
import { quoted } from '../../../core/rule-text.ts'
import type { Db } from '../../../prisma/client.ts'
import type { Edit } from '../audit-trail.ts'

/** A text that an edit makes a name of a brand, and the argument that gave it. */
interface GivenName {
  readonly brandId: string
  readonly field: string
  readonly text: string
}

const textsOf = (list: unknown): string[] =>
  Array.isArray(list) ? list.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])) : []

/** The names that an edit adds, or that it finds in more spellings than before. */
function givenNames(projectId: string, edit: Edit): GivenName[] {
  const [type, id] = edit.subject
  const { before, after } = edit
  if (!after) return []
  const owners: Readonly<Record<string, unknown>> = {
    project: projectId,
    brandAlias: projectId,
    ownDomain: projectId,
    competitor: id,
    competitorAlias: after.competitorId,
  }
  const brandId = owners[type]
  if (typeof brandId !== 'string') return []
  const isNew = before?.caseSensitive === undefined
  const isWider = before?.caseSensitive === true && after.caseSensitive === false
  if (!isNew && !isWider) return []
  const single = (['name', 'domain', 'text'] as const).flatMap((field): GivenName[] => {
    const text = after[field]
    return typeof text === 'string' ? [{ brandId, field, text }] : []
  })
  const aliases = textsOf(after.aliases).map((text) => ({ brandId, field: 'aliases', text }))
  return [...single, ...aliases]
}

/**
 * A name, an alias or a domain belongs to one brand: else one mention would count for two.
 * @throws {Fault} `invalid_argument` where the edits give a brand the name of another brand of the project
 */
export async function refuseSharedNames(
  tx: Db,
  projectId: string,
  edits: readonly Edit[],
): Promise<void> {
  const given = edits.flatMap((edit) => givenNames(projectId, edit))
  if (given.length === 0) return
  // Loaded when a name changes: most changes need no matcher.
  const [{ brandFields, brandsOf }, { sharedNames }] = await Promise.all([
    import('../../../core/project-brands.ts'),
    import('../../../core/text/shared-names.ts'),
  ])
  const where = { id: projectId }
  const project = await tx.project.findUnique({ where, select: brandFields })
  if (!project) return
  const givenAs = (brandId: string, text: string) =>
    given.find((each) => each.brandId === brandId && each.text === text)
  const shared = sharedNames(brandsOf(project), (id, text) => givenAs(id, text) !== undefined)
  const [first] = shared
  if (first === undefined) return
  const { brandId, name, otherId, otherName } = first
  const rival = project.competitors.find(({ id }) => id === otherId)
  const owner = rival ? `the competitor ${quoted(rival.name)}` : 'the own brand'
  const rule = `must not be the same as ${quoted(otherName)} of ${owner}`
  throw invalid(givenAs(brandId, name)?.field ?? 'name', rule, name)
}
