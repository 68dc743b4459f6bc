import { obtainedFrom } from '../../core/collecting/obtained.ts'
import { unitsOf } from '../../core/collecting/providers/cost.ts'
import { providerNames } from '../../core/collecting/providers/names.ts'
import { type AskedProvider, providerTerms } from '../../core/collecting/providers/request.ts'
import type { Db } from '../../prisma/client.ts'
import { targetsOf } from './plan.ts'

/** Where a workspace gets answers from: a provider key, as everyone sees it who reads a project. */
export interface AnswerSource {
  readonly keyId: string
  /** Of the key. */
  readonly label: string
  readonly provider: AskedProvider
  readonly name: string
  /** Id of the AI platform that its answers count for. */
  readonly platform: string
  readonly model: string
  /** The answers are those of a page that people see, not of an API. */
  readonly isSurface: boolean
  /** US dollars of an answer; null where no price is known. */
  readonly price: number | null
  /** Units of a service that an answer costs; null for other providers. */
  readonly units: number | null
  /** The key asks at another address than the provider's own. */
  readonly hasOwnAddress: boolean
  readonly workedAt: Date | null
  readonly refusedAt: Date | null
  readonly refusal: string | null
}

/** The provider keys of a workspace by label, without their secrets and addresses. */
export async function answerSources(db: Db, workspaceId: string): Promise<AnswerSource[]> {
  const [targets, rows] = await Promise.all([
    targetsOf(db, workspaceId, null),
    db.providerKey.findMany({
      where: { workspaceId },
      select: {
        id: true,
        label: true,
        baseUrl: true,
        workedAt: true,
        refusedAt: true,
        refusal: true,
      },
    }),
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return targets.flatMap(({ keyId, provider, platform, model, price }) => {
    const row = byId.get(keyId)
    if (!row) return []
    const { label, baseUrl, workedAt, refusedAt, refusal } = row
    return {
      keyId,
      label,
      provider,
      name: providerNames[provider],
      platform,
      model,
      isSurface: obtainedFrom(provider, model) === 'surface',
      price,
      units: unitsOf(provider, model),
      hasOwnAddress: baseUrl !== null && baseUrl !== providerTerms[provider].baseUrl,
      workedAt,
      refusedAt,
      refusal,
    }
  })
}
