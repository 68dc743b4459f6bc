import { z } from 'zod'
import { invalid } from '../../core/errors.ts'
import { issueText } from '../../core/rule-text.ts'
import { hostOfText } from '../../core/sites/urls.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor, Edit } from '../shared/audit-trail.ts'
import { changeProject, type ProjectChangeResult } from '../shared/change.ts'
import { label } from '../shared/inputs.ts'
import { connectionAdded } from './added.ts'

/** A site as Search Console spells it: a domain, or the start of addresses, each with its host in punycode. */
function siteOf(text: string): string {
  const [, domain] = /^sc-domain:([^\s/]+)$/i.exec(text) ?? []
  if (domain !== undefined) return `sc-domain:${hostOfText(domain)}`
  return /^https?:\/\/\S+$/i.test(text) ? (URL.parse(text)?.href ?? text) : text
}

/** How each source names what it reads: a site of a search console, or a property number. */
const linkSchemas = {
  bingWebmaster: z.object({
    host: label
      .transform(siteOf)
      .refine(
        (text) => /^https?:\/\/\S+$/.test(text),
        'must be a site as Bing Webmaster Tools writes it, such as `https://www.example.com/`',
      )
      .nullish(),
  }),
  searchConsole: z.object({
    host: label
      .transform(siteOf)
      .refine(
        (text) => /^sc-domain:[^\s/]+\.[^\s/]+$/.test(text) || /^https?:\/\/\S+$/.test(text),
        'must be a site as Search Console writes it, such as `sc-domain:example.com` or `https://www.example.com/`',
      )
      .nullish(),
  }),
  webAnalytics: z.object({
    host: z
      .string()
      .regex(/^(properties\/)?\d{1,20}$/, 'must be a property number, such as `123456789`')
      .transform((text) => text.replace('properties/', ''))
      .nullish(),
  }),
} as const

export type AnalyticsKind = keyof typeof linkSchemas
/** What Google reports. */
export type GoogleKind = Exclude<AnalyticsKind, 'bingWebmaster'>

/** The argument that names the site or the property. */
const nameOf = { searchConsole: 'site', bingWebmaster: 'site', webAnalytics: 'property' } as const

/**
 * Links a project to a site of a search console, or to a web analytics property. Without `name` an existing link stays; a
 * new link takes the project's domain in Search Console, and any property in web analytics.
 * @throws {Fault} `invalid_argument`, also when another site or property is linked; `not_found`
 */
export function linkAnalytics(
  db: Db,
  actor: Actor,
  projectId: string,
  kind: AnalyticsKind,
  name: string | null | undefined,
): Promise<ProjectChangeResult & { readonly host: string | null; readonly isNew: boolean }> {
  const given = readName(kind, name)
  return changeProject(db, actor, projectId, async (tx, { id, domain }) => {
    const known = await tx.connection.findFirst({ where: { projectId: id, kind } })
    if (known) {
      const { id: subjectId, host } = known
      const isSame = given === null || given === readName(kind, host)
      if (isSame) return { subjectId, host, isNew: false, edits: [] }
      if (host !== null) {
        throw invalid(
          nameOf[kind],
          `differs from ${host}, which the project is linked to: unlink ${host} first`,
          given,
        )
      }
      await tx.connection.update({ where: { id: subjectId }, data: { host: given } })
      const subject = ['connection', subjectId] as const
      const edit: Edit = {
        action: 'connection.update',
        subject,
        before: { host },
        after: { host: given },
      }
      return { subjectId, host: given, isNew: false, edits: [edit] }
    }
    const host = given ?? (kind === 'searchConsole' ? `sc-domain:${domain}` : null)
    const made = await tx.connection.create({ data: { projectId: id, kind, host } })
    const edit = await connectionAdded(tx, id, made.id, { kind, host })
    return { subjectId: made.id, host, isNew: true, edits: [edit] }
  })
}

/** A site or the number of a property in one spelling. @throws {Fault} `invalid_argument` */
export function readName(kind: AnalyticsKind, name: string | null | undefined): string | null {
  const { data, error } = linkSchemas[kind].safeParse({ host: name }, { reportInput: true })
  if (data) return data.host ?? null
  const [issue] = error?.issues ?? []
  throw invalid(nameOf[kind], issue ? issueText(issue) : 'is not valid')
}

/**
 * Removes a link from the catalog, with its feed; `removeLinked` of the imports removes its rows.
 * @throws {Fault} `not_found` for the project
 */
export function unlinkAnalytics(
  db: Db,
  actor: Actor,
  projectId: string,
  kind: AnalyticsKind,
): Promise<ProjectChangeResult> {
  return changeProject(db, actor, projectId, async (tx, { id }) => {
    const known = await tx.connection.findMany({ where: { projectId: id, kind } })
    await tx.connection.deleteMany({ where: { projectId: id, kind } })
    await tx.dataFeed.deleteMany({ where: { projectId: id, kind } })
    const edits = known.map(
      ({ id: connection, host }): Edit => ({
        action: 'connection.remove',
        subject: ['connection', connection],
        before: { kind, host },
      }),
    )
    return { subjectId: known[0]?.id ?? id, edits }
  })
}

/** The site or property that a project is linked to; null without a link. */
export async function linkedName(
  db: Db,
  projectId: string,
  kind: AnalyticsKind,
): Promise<{ readonly host: string | null } | null> {
  return db.connection.findFirst({ where: { projectId, kind }, select: { host: true } })
}

/** Stores why the source refuses to report on the link; null when it reports again. */
export async function noteProblem(
  db: Db,
  projectId: string,
  kind: AnalyticsKind,
  problem: 'accessDenied' | 'notFound' | null,
): Promise<void> {
  await db.connection.updateMany({ where: { projectId, kind }, data: { problem } })
}
