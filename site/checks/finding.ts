import type { Evidence, EvidenceEntry } from '../../core/checks/check.ts'
import type { CheckId, Finding } from '../../core/checks/checks.ts'

/** What a condition found: the count, 1 unless given, and the evidence for it. */
export interface Found {
  readonly n?: number
  readonly evidence?: Evidence
}

/** Null: the condition is false. Undefined: it cannot be decided, so that its issue stays unchanged. */
export type Outcome = Found | null | undefined

/** Conditions by the id of their check. */
export type Conditions<Facts> = Partial<Record<CheckId, (facts: Facts) => Outcome>>

/** A finding where a statement is true. */
export function when(holds: boolean, found: Found = {}): Outcome {
  return holds ? found : null
}

/** A finding that counts its entries, none where there are no entries. */
export function each(entries: Evidence): Outcome {
  return entries.length > 0 ? { n: entries.length, evidence: entries } : null
}

/** Entries of evidence that an issue keeps. */
export const mostEntries = 20
const mostBytes = 8000
const mostCharacters = 500

/** The start of a text, without half a character at its end. */
const cut = (text: string) => text.slice(0, mostCharacters).toWellFormed()

function shortened(entry: EvidenceEntry): EvidenceEntry {
  const { address, text } = entry
  return {
    ...entry,
    ...(address === undefined ? {} : { address: cut(address) }),
    ...(text === undefined ? {} : { text: cut(text) }),
  }
}

/** As much evidence as an issue keeps: the first 20 entries, and 8,000 bytes of JSON. */
function bounded(evidence: Evidence): Evidence {
  const kept: EvidenceEntry[] = []
  let bytes = 2
  for (const entry of evidence.slice(0, mostEntries).map(shortened)) {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1
    if (bytes > mostBytes) break
    kept.push(entry)
  }
  return kept
}

export function findingOf(check: CheckId, { n = 1, evidence = [] }: Found): Finding {
  return { check, affectedCount: n, evidence: bounded(evidence) }
}
