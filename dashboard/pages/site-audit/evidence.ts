import type { EvidenceEntry } from '../../../core/checks/check.ts'
import { count } from '../../../web/share/numbers.ts'
import { t } from '../../texts/texts.ts'

function textOf(entry: EvidenceEntry): string {
  const { address, line, text, status, count: times, crawler, platform } = entry
  const { evidenceOf } = t.siteAudit
  const facts = [
    // A table has no code marks.
    text?.replaceAll('`', ''),
    status === undefined ? undefined : evidenceOf.status(status, t.aiTraffic.phrases[status] ?? ''),
    line === undefined ? undefined : evidenceOf.line(line),
    crawler && evidenceOf.crawler(crawler),
    platform && evidenceOf.platform(platform),
    times === undefined ? undefined : evidenceOf.times(count(times)),
  ].filter(Boolean)
  return [address, facts.join(', ')].filter(Boolean).join(': ')
}

/** What a check found, a sentence for each place. Counts without a place are in the description of the issue. */
export function evidenceTexts(evidence: unknown): string[] {
  if (!Array.isArray(evidence)) return []
  const entries = evidence.filter(
    (entry): entry is EvidenceEntry => typeof entry === 'object' && entry !== null,
  )
  return entries
    .filter(({ count: times, ...others }) => times === undefined || Object.keys(others).length > 0)
    .map(textOf)
    .filter(Boolean)
}
