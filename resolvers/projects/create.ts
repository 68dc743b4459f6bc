import { z } from 'zod'
import { brandsOf, type StoredBrand } from '../../core/project-brands.ts'
import { quoted } from '../../core/rule-text.ts'
import { sharedNames } from '../../core/text/shared-names.ts'
import { makeSiteToken } from '../../core/tokens.ts'
import type { Db } from '../../prisma/client.ts'
import { type Actor, commandLine, recordEdits } from '../shared/audit-trail.ts'
import { refuseManyNames } from '../shared/change.ts'
import { alias, check, distinct, domain, label } from '../shared/inputs.ts'
import { inTransaction } from '../shared/transaction.ts'
import { requireWorkspace } from '../shared/workspace.ts'

const ownId = 'own'

interface GivenBrand {
  readonly name: string
  readonly domain: string
  readonly aliases: readonly z.output<typeof alias>[]
}

/** The brands of a project to be; the id of a competitor is its place in the list. */
function brandsGiven(project: GivenBrand & { readonly competitors: readonly GivenBrand[] }) {
  const rule = { caseSensitive: null, excludedPhrases: [] }
  const stored = ({ name, domain, aliases }: GivenBrand, id: string): StoredBrand => {
    const all = aliases.map((one) => ({ id: '', excludedPhrases: [], ...one }))
    return { id, name, domain, aliases: all, ...rule }
  }
  const competitors = project.competitors.map((each, at) => stored(each, String(at)))
  return brandsOf({ ...stored(project, ownId), ownDomains: [], competitors })
}

const projectSchema = z
  .object({
    workspaceId: z.string(),
    name: label,
    domain,
    description: label.optional(),
    industry: label.optional(),
    aliases: z.array(alias).default([]),
    competitors: z
      .array(z.object({ name: label, domain, aliases: z.array(alias).default([]) }))
      .default([]),
    kind: z.enum(['regular', 'pitch']).default('regular'),
    /** Default: the model of a provider key whose price is known, else rules. */
    sentimentBy: z.enum(['rules', 'model']).optional(),
  })
  .superRefine((project, context) => {
    const { domain, competitors } = project
    const names = new Set<string>()
    for (const [index, { name, domain: theirs }] of competitors.entries()) {
      const path = ['competitors', index]
      if (names.has(name))
        context.addIssue({ code: 'custom', path, message: `repeats the name ${quoted(name)}` })
      if (theirs === domain) {
        context.addIssue({
          code: 'custom',
          path,
          message: `has the project's own domain, ${quoted(theirs)}`,
        })
      }
      names.add(name)
    }
    if (context.issues.length > 0) return
    const asked = (id: string) => id !== ownId
    for (const { name, brandId, otherName, otherId } of sharedNames(brandsGiven(project), asked)) {
      // Of two competitors only the later one repeats a name.
      if (otherId !== ownId && Number(otherId) > Number(brandId)) continue
      const owner = otherId === ownId ? 'the brand' : quoted(competitors[Number(otherId)]?.name)
      const same = `the same as ${quoted(otherName)} of ${owner}`
      const path = ['competitors', Number(brandId)]
      context.addIssue({ code: 'custom', path, message: `has ${quoted(name)}, ${same}` })
    }
  })

export type ProjectInput = z.input<typeof projectSchema>

/**
 * Chooses who rates the sentiment of a new project.
 * @returns the version of a model; null for rules
 * @throws {Fault} `invalid_argument` for a model that nobody can ask
 */
type FirstMethod = (
  tx: Db,
  project: { readonly id: string; readonly workspaceId: string },
  by: 'rules' | 'model' | undefined,
) => Promise<string | null>

export interface CreatedProject {
  readonly id: string
  readonly siteToken: string
  /** The model that rates the sentiment of answers; absent for rules. */
  readonly sentimentVersion?: string
}

/**
 * Creates a project, and returns the token that its site's servers send with their events.
 * @param firstMethod absent: rules rate its sentiment
 * @throws {Fault} `invalid_argument`; `not_found` for the workspace
 */
export async function createProject(
  db: Db,
  input: ProjectInput,
  signingSecret: string,
  {
    actor = commandLine,
    firstMethod = async () => null,
  }: { readonly actor?: Actor; readonly firstMethod?: FirstMethod } = {},
): Promise<CreatedProject> {
  const { workspaceId, aliases, competitors, sentimentBy, ...rest } = check(projectSchema, input)
  const workspace = await requireWorkspace(db, workspaceId)
  const { name, domain, kind } = rest
  const data = {
    workspaceId: workspace.id,
    name,
    domain,
    kind,
    description: rest.description ?? null,
    industry: rest.industry ?? null,
    aliases: { create: distinct(aliases) },
    competitors: {
      create: competitors.map((competitor) => ({
        ...competitor,
        aliases: { create: distinct(competitor.aliases) },
      })),
    },
  }
  const { id, version } = await inTransaction(db, async (tx) => {
    const made = await tx.project.create({ data, select: { id: true } })
    await refuseManyNames(tx, made.id)
    const place = { workspaceId: workspace.id, projectId: made.id }
    const version = await firstMethod(tx, { id: made.id, workspaceId: workspace.id }, sentimentBy)
    const after = { name, domain, kind, ...(version && { sentiment: version }) }
    await recordEdits(tx, actor, place, [
      { action: 'project.create', subject: ['project', made.id], after },
    ])
    return { id: made.id, version }
  })
  const site = { projectId: id, workspaceId: workspace.id }
  const siteToken = makeSiteToken(signingSecret, site)
  return { id, siteToken, ...(version === null ? {} : { sentimentVersion: version }) }
}
