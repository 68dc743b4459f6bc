import { z } from 'zod'
import { quoted } from '../../core/rule-text.ts'
import { makeSiteToken } from '../../core/tokens.ts'
import type { Db } from '../../prisma/client.ts'
import { type Actor, commandLine, recordEdits } from '../shared/audit-trail.ts'
import { alias, check, distinct, domain, label } from '../shared/inputs.ts'
import { inTransaction } from '../shared/transaction.ts'
import { requireWorkspace } from '../shared/workspace.ts'

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
  })
  .superRefine(({ domain, competitors }, context) => {
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
  })

export type ProjectInput = z.input<typeof projectSchema>

/**
 * Creates a project, and returns the token that its site's servers send with their events.
 * @throws {Fault} `invalid_argument`; `not_found` for the workspace
 */
export async function createProject(
  db: Db,
  input: ProjectInput,
  signingSecret: string,
  actor: Actor = commandLine,
): Promise<{ id: string; siteToken: string }> {
  const { workspaceId, aliases, competitors, ...rest } = check(projectSchema, input)
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
  const id = await inTransaction(db, async (tx) => {
    const made = await tx.project.create({ data, select: { id: true } })
    const place = { workspaceId: workspace.id, projectId: made.id }
    const after = { name, domain, kind }
    await recordEdits(tx, actor, place, [
      { action: 'project.create', subject: ['project', made.id], after },
    ])
    return made.id
  })
  const site = { projectId: id, workspaceId: workspace.id }
  return { id, siteToken: makeSiteToken(signingSecret, site) }
}
