import { fieldFault } from '../../core/errors.ts'
import { withGot } from '../../core/rule-text.ts'
import type { ProjectScope } from './scope.ts'

/**
 * The ids of the competitors that own brands are compared with, sorted by name; all of them unless asked for some.
 * @throws {Fault} `not_found` for a competitor that no project of these tracks
 */
export function rivalsOf(
  scopes: readonly ProjectScope[],
  asked: readonly string[] | null | undefined,
): readonly string[] {
  const all = scopes
    .flatMap(({ project }) => project.competitors)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ id }) => id)
  if (!asked) return all
  const wanted = new Set(asked.map((id) => id.toLowerCase()))
  const found = all.filter((id) => wanted.has(id))
  const unknown = asked.find((id) => !all.includes(id.toLowerCase()))
  if (unknown !== undefined) {
    throw fieldFault(
      'not_found',
      'competitorIds',
      withGot('must name tracked competitors', unknown),
    )
  }
  return found
}

/** The answers of a project that mention one of these competitors and not the own brand, as a narrowing. */
export function lostTo({ project }: ProjectScope, rivals: readonly string[]) {
  const any = rivals.filter((id) => project.competitors.some((it) => it.id === id))
  // Without a competitor no answer is lost: nobody is mentioned as well as not mentioned.
  return any.length > 0
    ? { brands: { any, none: [project.id] } }
    : { brands: { any: [project.id], none: [project.id] } }
}
