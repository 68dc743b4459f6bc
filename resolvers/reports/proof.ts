import type { KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Proof } from '../../core/proof/format.ts'
import { proofKey, withoutTexts } from '../../core/proof/sign.ts'
import { storedAs } from '../../core/stored-json.ts'
import { proven } from '../proof/proof.ts'
import { jobScope } from '../shared/job-scope.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { type AsOf, frozenScope } from './frozen.ts'
import { windowOf } from './reports.ts'
import { type ShareSources, sharedReport } from './share.ts'

/** Whether reports of a type say how visible the brand is: their proof is about that. */
const hasProof = ({ reportType }: { readonly reportType: string }) => reportType !== 'sentiment'

/** Proofs of frozen reports do not change. Each may have some megabytes. */
const known = new LRUCache<string, string>({ max: 5 })

async function proofOfReport(
  sources: Pick<ProjectScope, 'db' | 'warehouse'>,
  reportId: string,
  key: KeyObject,
): Promise<Proof | null> {
  const row = await sources.db.report.findUnique({ where: { id: reportId } })
  const scope = row && (await jobScope(sources, row.projectId, row.createdAt))
  if (!row || !scope) return null
  return proven(frozenScope(scope, storedAs<AsOf>(row.asOf)), windowOf(row), key)
}

/** The proof behind a link, as JSON. */
interface SharedProof {
  readonly password: string | null
  /** Null where the answers can no longer be counted so: names or rules changed since. */
  readonly json: () => Promise<string | null>
}

/** The proof of a shared report; null for every link that opens none, and for reports without one. */
export async function sharedProof(
  sources: ShareSources & Pick<ProjectScope, 'warehouse'>,
  token: string,
): Promise<SharedProof | null> {
  const found = await sharedReport(sources.db, sources.signingSecrets, token)
  if (!found || !hasProof(found.report)) return null
  const { id, proofTexts, sharePassword } = found.report
  return {
    password: sharePassword,
    json: async () => {
      const name = `${id} ${proofTexts}`
      const stored = known.get(name)
      if (stored) return stored
      const key = proofKey(sources.signingSecrets[0] ?? '')
      const whole = await proofOfReport(sources, id, key)
      if (!whole) return null
      const json = JSON.stringify(proofTexts ? whole : withoutTexts(whole))
      known.set(name, json)
      return json
    },
  }
}

/** Where the proof of a report is; null where its link is null, or it has none. */
export const proofUrlOf = (report: { readonly reportType: string }, link: string | null) =>
  link !== null && hasProof(report) ? `${link}/proof.json` : null
