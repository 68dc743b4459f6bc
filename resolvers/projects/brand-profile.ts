import { z } from 'zod'
import { invalid, notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor } from '../shared/audit-trail.ts'
import type { ProjectChangeResult } from '../shared/change.ts'
import { alias, check, domain, label } from '../shared/inputs.ts'
import { inTransaction } from '../shared/transaction.ts'
import { addBrandAlias, removeBrandAlias } from './aliases.ts'
import { updateProject } from './change.ts'
import { addOwnDomain, removeOwnDomain } from './own-domains.ts'

const most = 200

const profileSchema = z.object({
  name: label.optional(),
  aliases: z
    .array(
      z.union([label.transform((text) => ({ text })), alias.partial({ caseSensitive: true })], {
        error: 'must be a text of one line, or an object with `text` and `caseSensitive`',
      }),
    )
    .max(most, `must have at most ${most} entries`)
    .optional(),
  domains: z
    .array(domain)
    .min(1, 'must name at least one domain; the first is the main domain')
    .max(most, `must have at most ${most} entries`)
    .optional(),
  description: label.nullish(),
  industry: label.nullish(),
})

type Profile = z.output<typeof profileSchema>

/** The report of a profile wraps it in `brandProfile`. */
const wrapped = z.looseObject({ brandProfile: z.record(z.string(), z.unknown()) })

function readProfile(text: string): Profile {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw invalid('profile', `is not valid JSON: ${(error as Error).message.toWellFormed()}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('profile', 'must be a JSON object')
  }
  const inner = wrapped.safeParse(value)
  const profile = inner.success ? inner.data.brandProfile : value
  const names = Object.keys(profileSchema.shape)
  const given = Object.keys(profile)
  if (given.length > 0 && !given.some((name) => names.includes(name))) {
    throw invalid('profile', `must have one of ${names.join(', ')}; it has ${given[0]}`)
  }
  return check(profileSchema, profile)
}

type Apply = (db: Db, actor: Actor, projectId: string) => Promise<ProjectChangeResult>

/** The changes that replace the aliases by the list. An alias without `caseSensitive` keeps its current flag. */
async function aliasChanges(
  tx: Db,
  projectId: string,
  wanted: Profile['aliases'],
): Promise<Apply[]> {
  if (!wanted) return []
  const there = await tx.brandAlias.findMany({ where: { projectId }, orderBy: { text: 'asc' } })
  const flags = new Map(there.map(({ text, caseSensitive }) => [text, caseSensitive]))
  const names = new Set(wanted.map(({ text }) => text))
  const gone = there.filter(({ text }) => !names.has(text))
  return [
    ...gone.map(
      ({ text }): Apply =>
        (...of) =>
          removeBrandAlias(...of, { text }),
    ),
    ...wanted.map(({ text, ...given }): Apply => {
      const flag = 'caseSensitive' in given ? given.caseSensitive : undefined
      const input = { text, caseSensitive: flag ?? flags.get(text) ?? null }
      return (...of) => addBrandAlias(...of, input)
    }),
  ]
}

/** The changes that replace all domains but the main one by the list. */
async function domainChanges(
  tx: Db,
  projectId: string,
  wanted: Profile['domains'],
): Promise<Apply[]> {
  if (!wanted) return []
  const there = await tx.ownDomain.findMany({ where: { projectId }, orderBy: { domain: 'asc' } })
  const others = new Set(wanted.slice(1))
  const gone = there.filter((own) => !others.has(own.domain))
  return [
    ...gone.map(
      ({ domain }): Apply =>
        (...of) =>
          removeOwnDomain(...of, { domain }),
    ),
    ...[...others].map(
      (domain): Apply =>
        (...of) =>
          addOwnDomain(...of, { domain }),
    ),
  ]
}

/**
 * Sets the brand's profile from a JSON object with `name`, `aliases`, `domains` (the main one first), `description` and
 * `industry`. A report with `brandProfile` is accepted too. Absent fields stay; a list replaces the whole list.
 * All changes apply together or not at all, each with an audit entry.
 * @throws {Fault} `invalid_argument`, also for a competitor's domain; `not_found`
 */
export function importBrandProfile(
  db: Db,
  actor: Actor,
  projectId: string,
  text: string,
): Promise<ProjectChangeResult> {
  const { aliases, domains, ...about } = readProfile(text)
  if (!isUuid(projectId)) throw notFound()
  return inTransaction(db, async (tx) => {
    const [main] = domains ?? []
    const outcomes = [await updateProject(tx, actor, projectId, { ...about, domain: main })]
    const changes = [
      ...(await aliasChanges(tx, projectId, aliases)),
      ...(await domainChanges(tx, projectId, domains)),
    ]
    for (const apply of changes) outcomes.push(await apply(tx, actor, projectId))
    return {
      subjectId: projectId,
      changed: outcomes.some(({ changed }) => changed),
      needsReanalysis: outcomes.some(({ needsReanalysis }) => needsReanalysis),
    }
  })
}
