/** What the answer of `/graphql` says about itself: the field was answered, and not quite as it was asked. */

/** The codes of notices. Clients branch on them, so a code never changes its meaning. */
type NoticeCode = 'clamped' | 'mixed_windows'

export interface Notice {
  readonly code: NoticeCode
  /** The field in the answer, without the numbers of rows: a field of a list has one notice for all rows. */
  readonly path: readonly string[]
  readonly message: string
}
