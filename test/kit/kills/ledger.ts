export const writeKinds = [
  'restPrompts',
  'graphPrompts',
  'graphTopics',
  'restReports',
  'imports',
  'events',
] as const
export type WriteKind = (typeof writeKinds)[number]

/** Writes of a load, by what makes each the only one of its kind. */
export interface Ledger {
  /** The id that the service gave, by the text that was sent. Empty where it gives none. */
  readonly acknowledged: Map<string, string>
  /** Sent, and nobody knows whether it was taken. */
  readonly unknown: Set<string>
  retries: number
  /** The replays among the answers: the first answer was lost. */
  replayed: number
  /** Refused for so long that the client gave up. */
  givenUp: number
}

export const makeLedger = (): Ledger => ({
  acknowledged: new Map(),
  unknown: new Set(),
  retries: 0,
  replayed: 0,
  givenUp: 0,
})

/** What is stored: the id of each text, as often as it is there. */
export type Stored = readonly (readonly [text: string, id: string])[]

export interface Account {
  readonly acknowledged: number
  readonly stored: number
  readonly retries: number
  readonly replayed: number
  readonly givenUp: number
  /** Acknowledged, and not there. */
  readonly lost: number
  /** There more than once. */
  readonly twice: number
  /** There under another id than was answered. */
  readonly otherId: number
  /** There, and neither acknowledged nor in doubt. */
  readonly foreign: number
}

/** Compares each write with what is stored. */
export function accountOf(ledger: Ledger, stored: Stored): Account {
  const { acknowledged, unknown, retries, replayed, givenUp } = ledger
  const ids = new Map(stored)
  const isOther = ([text, id]: [string, string]) =>
    id !== '' && ids.has(text) && ids.get(text) !== id
  return {
    acknowledged: acknowledged.size,
    stored: stored.length,
    retries,
    replayed,
    givenUp,
    lost: [...acknowledged.keys()].filter((text) => !ids.has(text)).length,
    twice: stored.length - ids.size,
    otherId: [...acknowledged].filter(isOther).length,
    foreign: [...ids.keys()].filter((text) => !acknowledged.has(text) && !unknown.has(text)).length,
  }
}
