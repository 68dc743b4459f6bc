import type { Plugin } from '@envelop/core'
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql'
import { Fault } from '../../core/errors.ts'
import { introspectionCost } from '../introspection.ts'
import { requestsPerWindow } from '../limiter.ts'
import { type RateLimitParts, takeCost } from '../rate-limit.ts'
import type { RequestState, WithRequestState } from '../request-state.ts'
import type { WithPrincipal, WorkParts } from '../work.ts'
import { type CostlyPart, cheaperBy, costliestOf } from './cheaper.ts'
import {
  type ChargeOf,
  type Part,
  partsOf,
  type RowsOf,
  rowsAsked,
  type Totals,
  totalsOf,
  weightOf,
} from './tree.ts'

type Sizes = Readonly<Record<string, number>>

export interface CostParts extends RateLimitParts, WorkParts {
  readonly fieldCharge: ChargeOf
  /** The sizes of lists that are known before a document runs: of some projects, or of all that a key reaches. */
  readonly listSizes: (
    context: unknown,
    projectIds: readonly string[] | undefined,
  ) => Promise<Sizes | undefined>
  /** The most that one document may cost. */
  readonly maxQueryCost: number
  /** Hears what a document was charged. */
  readonly charged?: ((cost: number) => void) | undefined
}

interface Asking extends WithRequestState, WithPrincipal {
  readonly request: Request
}

/** The header of a request that asks for `extensions.cost`; with `only` nothing runs. */
export const explainHeader = 'x-explain-cost'
const onlyExplained = 'only'

const costHeader = 'X-Query-Cost'

/** The project that a field of the root is about; undefined where it may be about any. */
const projectOf = ({ name, given: { id, projectId } }: Part): unknown =>
  projectId ?? (name === 'project' ? id : undefined)

const hasCounted = (parts: readonly Part[]): boolean =>
  parts.some(({ charge, below }) => (charge.counted && below.length > 0) || hasCounted(below))

/** How many rows the lists of a document have at most: what was asked for, and of what the catalog counts no more than is there. */
async function rowsIn(
  { contextValue }: ExecutionArgs,
  parts: readonly Part[],
  listSizes: CostParts['listSizes'],
): Promise<RowsOf> {
  // Without a count it costs the least already.
  if (weightOf(totalsOf(parts, rowsAsked)) <= 1 || !hasCounted(parts)) return rowsAsked
  const ids = parts.map(projectOf)
  const areNamed = ids.every((id) => typeof id === 'string')
  const sizes = await listSizes(contextValue, areNamed ? ids : undefined)
  if (!sizes) return rowsAsked
  return ({ charge: { rows, counted } }) => {
    const there = counted === undefined ? undefined : sizes[counted]
    return there === undefined ? rows : Math.min(rows, there)
  }
}

interface Cost {
  readonly cost: number
  readonly costliest: () => CostlyPart[]
  /** Why the document may not run. */
  readonly refusal?: Fault
}

/** The refusal of a document, which names the page that would make it pass. */
function refusalOf(cost: number, most: number, cheaper: ReturnType<typeof cheaperBy>): Fault {
  const message = `The document costs ${cost}, more than ${most}.`
  if (!cheaper) return new Fault('query_too_costly', message, { extras: { cost, maxCost: most } })
  const { path, argument, value } = cheaper
  const page = `\`${path.join('.')}(${argument}: ${value})\``
  const cure = `With ${page} it would cost ${cheaper.cost}.`
  return new Fault('query_too_costly', `${message} ${cure}`, {
    extras: { cost, maxCost: most, cheaper, howToFix: `Ask for ${page}, or in several requests.` },
  })
}

/**
 * The cost of an operation, at least 1: that of what it reads, or of the objects that its lists multiply to, where they
 * cost more.
 * @throws {GraphQLError} for arguments that are wrong: without them the cost is not known
 * @throws {Fault} `query_too_costly`, for an introspection
 */
async function costOf(asked: ExecutionArgs, options: CostParts): Promise<Cost> {
  const { fieldCharge, listSizes, maxQueryCost, turn } = options
  const { keyId } = (asked.contextValue as Asking).principal
  const ofSchema = await introspectionCost(asked, () => turn(keyId))
  const parts = partsOf(asked, fieldCharge)
  const rowsOf = await rowsIn(asked, parts, listSizes)
  const costWith = ({ cost, objects }: Totals) =>
    Math.max(1, weightOf({ cost: cost + ofSchema, objects }))
  const cost = costWith(totalsOf(parts, rowsOf))
  const costliest = () => costliestOf(parts, rowsOf)
  if (cost <= maxQueryCost) return { cost, costliest }
  const cheaper = cheaperBy({ parts, rowsOf, costOf: costWith }, maxQueryCost)
  return { cost, costliest, refusal: refusalOf(cost, maxQueryCost, cheaper) }
}

function explained({ cost, costliest }: Cost, limit: number, { headers }: RequestState) {
  const remaining = headers['X-RateLimit-Remaining']
  return {
    requested: cost,
    limit,
    perMinute: requestsPerWindow,
    remaining: remaining === undefined ? null : Number(remaining),
    costliest: costliest(),
  }
}

/**
 * Charges each document its cost, to the budget that its key has for requests. The request itself is counted before, so
 * the rest is charged here, before anything runs.
 */
export function useCost(options: CostParts): Plugin<WithRequestState> {
  const { limiter, charged, maxQueryCost } = options
  const charge = async (
    args: ExecutionArgs,
    { requestState }: WithRequestState,
    willRun: boolean,
  ) => {
    const found = await costOf(args, options)
    requestState.headers[costHeader] = willRun ? String(found.cost) : '1'
    if (found.refusal || !willRun) return found
    if (found.cost > 1) await takeCost(limiter, requestState, found.cost - 1)
    charged?.(found.cost)
    return found
  }
  return {
    // A document that is not valid costs its request.
    onParse({ context: { requestState } }) {
      requestState.headers[costHeader] = '1'
    },
    async onExecute({ args, setResultAndStopExecution }) {
      const asking = args.contextValue as Asking
      const explain = asking.request.headers.get(explainHeader)
      const found = await charge(args, asking, explain !== onlyExplained)
      const { refusal: originalError } = found
      const extensions = explain !== null && {
        cost: explained(found, maxQueryCost, asking.requestState),
      }
      if (originalError) {
        const errors = [new GraphQLError(originalError.message, { originalError })]
        setResultAndStopExecution({ errors, ...(extensions && { extensions }) })
        return
      }
      if (!extensions) return
      if (explain === onlyExplained) {
        setResultAndStopExecution({ extensions })
        return
      }
      return {
        onExecuteDone({ result, setResult }) {
          const given = result as ExecutionResult
          setResult({ ...given, extensions: { ...given.extensions, ...extensions } })
        },
      }
    },
    async onSubscribe({ args }) {
      const { refusal } = await charge(args, args.contextValue, true)
      if (refusal) throw refusal
    },
  }
}
