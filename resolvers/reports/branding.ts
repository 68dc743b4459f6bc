import { check } from '../../core/check.ts'
import { type BrandingInput, brandingInput } from '../../core/reports/branding.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor, Edit } from '../shared/audit-trail.ts'
import { changeWorkspace, type WorkspaceChangeResult } from '../shared/change.ts'
import { requireFeature } from '../shared/plan.ts'
import { requireWorkspace } from '../shared/workspace.ts'

/**
 * Sets whose name, colour and logo the shared reports of a workspace carry; null for those of this service.
 * @throws {Fault} `invalid_argument`, `not_found`, `plan_upgrade_required`
 */
export async function setReportBranding(
  db: Db,
  actor: Actor,
  workspaceId: string,
  given: BrandingInput | null,
): Promise<WorkspaceChangeResult> {
  const wanted = given && check(brandingInput, given)
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const { plan } = await requireWorkspace(tx, workspaceId)
    if (wanted) requireFeature(plan, 'whiteLabel')
    const before = await tx.reportBranding.findUnique({ where: { workspaceId } })
    if (wanted) {
      const data = { ...wanted, logo: wanted.logo && new Uint8Array(wanted.logo) }
      await tx.reportBranding.upsert({
        where: { workspaceId },
        create: { workspaceId, ...data },
        update: data,
      })
    } else if (before) {
      await tx.reportBranding.delete({ where: { workspaceId } })
    }
    const [was, is] = [before && factsOf(before), wanted && factsOf(wanted)]
    const isSame =
      JSON.stringify(was) === JSON.stringify(is) && sameBytes(before?.logo, wanted?.logo)
    const edit: Edit = {
      action: 'workspace.setReportBranding',
      subject: ['workspace', workspaceId],
      ...(was ? { before: was } : {}),
      ...(is ? { after: is } : {}),
    }
    return { subjectId: workspaceId, edits: isSame ? [] : [edit] }
  })
}

interface BrandingFacts {
  readonly name: string
  readonly accent: string
  readonly logo: Uint8Array | null
}

function factsOf({ name, accent, logo }: BrandingFacts) {
  return { name, accent, logoBytes: logo?.length ?? 0 }
}

function sameBytes(a: Uint8Array | null = null, b: Uint8Array | null = null): boolean {
  return a === null || b === null ? a === b : Buffer.from(a).equals(Buffer.from(b))
}
