import type { FilterArgs } from '../../../resolvers/shared/filters.ts'
import type { ProjectScope, RequestContext } from '../../../resolvers/shared/scope.ts'

/** Which answers a report counts, beside its window: those of a slice, in the data of a first page, after filters. */
interface Counted {
  readonly scope: Partial<Pick<ProjectScope, 'slice' | 'pinned'>> & Pick<RequestContext, 'now'>
  readonly args: FilterArgs
}

const counted = new WeakMap<object, Counted>()

/** Remembers which answers a report counts. @param args flat, as of REST */
export function countedIn<Answer>(
  answer: Answer,
  { slice, pinned, now }: Counted['scope'],
  args: object,
): Answer {
  if (typeof answer === 'object' && answer !== null) {
    const scope = { now, ...(slice && { slice }), ...(pinned && { pinned }) }
    counted.set(answer, { scope, args })
  }
  return answer
}

/** Which answers a report counts; all of the project where nobody has said so. */
export const countedBy = (report: object): Counted | undefined => counted.get(report)
