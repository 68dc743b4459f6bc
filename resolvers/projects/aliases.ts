import type { Db } from '../../prisma/client.ts'
import { type Aliases, type AliasInput, dropAlias, putAlias } from '../shared/aliases.ts'
import type { Actor } from '../shared/audit-trail.ts'
import { groupByProject } from '../shared/by-project.ts'
import { changeProject, type ProjectChangeResult } from '../shared/change.ts'
import { alias, check } from '../shared/inputs.ts'

/** Aliases of each project's brand, by text. */
export async function loadBrandAliases(db: Db, projectIds: readonly string[]) {
  const rows = await db.brandAlias.findMany({
    where: { projectId: { in: [...projectIds] } },
    orderBy: [{ text: 'asc' }, { id: 'asc' }],
  })
  return groupByProject(projectIds, rows)
}

function brandAliases(tx: Db, projectId: string): Aliases {
  return {
    type: 'brandAlias',
    find: (text) => tx.brandAlias.findUnique({ where: { projectId_text: { projectId, text } } }),
    create: (wanted) => tx.brandAlias.create({ data: { projectId, ...wanted } }),
    update: (id, data) => tx.brandAlias.update({ where: { id }, data }),
    remove: (id) => tx.brandAlias.delete({ where: { id } }),
  }
}

/**
 * Adds an alias of the brand, or sets `caseSensitive` of an existing alias.
 * @throws {Fault} `invalid_argument`, `not_found`
 */
export function addBrandAlias(
  db: Db,
  actor: Actor,
  projectId: string,
  input: AliasInput,
): Promise<ProjectChangeResult> {
  const wanted = check(alias, input)
  return changeProject(db, actor, projectId, (tx, { id }) => putAlias(brandAliases(tx, id), wanted))
}

/**
 * Removes an alias of the brand.
 * @throws {Fault} `invalid_argument`; `not_found` for the project or the alias
 */
export function removeBrandAlias(
  db: Db,
  actor: Actor,
  projectId: string,
  input: { text: string },
): Promise<ProjectChangeResult> {
  const { text } = check(alias.pick({ text: true }), input)
  return changeProject(db, actor, projectId, (tx, { id }) => dropAlias(brandAliases(tx, id), text))
}
