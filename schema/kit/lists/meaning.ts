import type { InputFieldMap } from '@pothos/core'
import { fingerprint } from '../../../core/pagination.ts'
import { listMeaning } from '../../../resolvers/shared/lists/meaning.ts'
import { flatArgs, windowRuleOf } from '../inputs.ts'

interface Asked {
  /** The arguments of the list, flat as in REST. */
  readonly args: InputFieldMap
  /** What the client gave, without `first` and `after`. */
  readonly given: object
  readonly now: Date
}

/**
 * The identity of a list: its field, its parent and what its arguments mean, however they are written. A cursor
 * belongs to one list.
 */
export function meaningOf(field: string, parent: string, { args, given, now }: Asked): string {
  const meant = listMeaning(flatArgs(args, given), windowRuleOf(args), now)
  return fingerprint(field, { ...meant, of: parent })
}
