import { z } from 'zod'
import { check } from '../../core/check.ts'
import { type Logo, logoInput } from '../../core/logo.ts'
import { openTokenOf, signToken } from '../../core/tokens.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor } from '../shared/audit-trail.ts'
import { changeProject, type ProjectChangeResult } from '../shared/change.ts'

async function change(
  db: Db,
  actor: Actor,
  projectId: string,
  logo: Logo | null,
): Promise<ProjectChangeResult> {
  return changeProject(db, actor, projectId, async (tx, { id }) => {
    const { logoHash } = await tx.project.findUniqueOrThrow({
      where: { id },
      select: { logoHash: true },
    })
    if (logoHash === (logo?.hash ?? null)) return { subjectId: id, edits: [] }
    if (logo) {
      const { contentType, image } = logo
      const data = { contentType, image }
      await tx.projectLogo.upsert({
        where: { projectId: id },
        create: { projectId: id, ...data },
        update: data,
      })
    } else {
      await tx.projectLogo.delete({ where: { projectId: id } })
    }
    await tx.project.update({ where: { id }, data: { logoHash: logo?.hash ?? null } })
    const edit = {
      action: logo ? 'project.setLogo' : 'project.removeLogo',
      subject: ['project', id] as const,
      ...(logoHash && { before: { logo: logoHash } }),
      ...(logo && { after: { logo: logo.hash } }),
    }
    return { subjectId: id, edits: [edit] }
  })
}

const input = z.object({ image: logoInput })

/**
 * Sets the logo of the own brand, a PNG, JPEG or WebP file in base64.
 * @throws {Fault} `invalid_argument`, `not_found`
 */
export const setLogo = (db: Db, actor: Actor, projectId: string, image: string) =>
  change(db, actor, projectId, check(input, { image }).image)

/**
 * Removes the logo of the own brand.
 * @throws {Fault} `not_found`
 */
export const removeLogo = (db: Db, actor: Actor, projectId: string) =>
  change(db, actor, projectId, null)

const purpose = 'logo'
const payload = z.object({ p: z.string(), h: z.string() })

/** The address of a logo for everyone who has it; null without a logo. Another logo has another address. */
export function logoUrlOf(
  { id, logoHash }: { readonly id: string; readonly logoHash: string | null },
  { baseUrl, secret }: { readonly baseUrl: string; readonly secret: string },
): string | null {
  return logoHash && `${baseUrl}/logo/${signToken(secret, purpose, { p: id, h: logoHash })}`
}

/** The logo at an address; null for an address of none. */
export async function logoAt(
  { db, signingSecrets }: { readonly db: Db; readonly signingSecrets: readonly string[] },
  token: string,
): Promise<Pick<Logo, 'contentType' | 'image'> | null> {
  const { data } = payload.safeParse(openTokenOf(signingSecrets, purpose, token))
  if (!data || !isUuid(data.p)) return null
  return db.projectLogo.findFirst({ where: { projectId: data.p, project: { logoHash: data.h } } })
}
