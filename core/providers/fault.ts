/** `key`: refused; `request`: this model or prompt is refused; `limited` and `unavailable`: later may pass. */
export type AskFaultKind = 'key' | 'request' | 'address' | 'limited' | 'unavailable' | 'unreadable'

/** An error that a provider wrote into a body. */
export interface FaultInside {
  readonly kind: AskFaultKind
  /** A number or a word, never the text of the error: it may repeat the key. */
  readonly code: string
}

/** The kind of a fault by the HTTP status of the answer. */
export function faultKindOf(status: number): AskFaultKind {
  if (status === 401 || status === 402 || status === 403) return 'key'
  if (status === 429) return 'limited'
  return status === 408 || status === 409 || status === 425 || status >= 500
    ? 'unavailable'
    : 'request'
}
