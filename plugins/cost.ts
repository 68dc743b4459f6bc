import type { Plugin } from '@envelop/core'
import type { ExecutionArgs, GraphQLCompositeType, GraphQLField } from 'graphql'
import { getComplexity } from 'graphql-query-complexity'
import { Fault } from '../core/errors.ts'
import { introspectionCost } from './introspection.ts'
import { type RateLimitParts, takeCost } from './rate-limit.ts'
import type { WithRequestState } from './request-state.ts'
import type { WithPrincipal, WorkParts } from './work.ts'

/** What a field counts, with its arguments and its selection. */
type FieldCount = (
  type: Pick<GraphQLCompositeType, 'name'>,
  field: GraphQLField<unknown, unknown>,
  given: Readonly<Record<string, unknown>>,
  below: number,
) => number

export interface CostParts extends RateLimitParts, WorkParts {
  readonly fieldCost: FieldCount
  /** The objects of its answer. */
  readonly fieldObjects: FieldCount
  /** The most that one document may cost. */
  readonly maxQueryCost: number
  /** Hears what a document was charged. */
  readonly charged?: ((cost: number) => void) | undefined
}

/** Objects that take about as long to make as a report. */
const objectsPerCost = 10_000

function sumOf(
  { schema, document, operationName, variableValues }: ExecutionArgs,
  count: FieldCount,
): number {
  return getComplexity({
    schema,
    query: document,
    ...(operationName ? { operationName } : {}),
    variables: variableValues ?? {},
    // The size of the document is limited before.
    maxQueryNodes: Number.POSITIVE_INFINITY,
    estimators: [
      ({ type, field, args, childComplexity }) => count(type, field, args, childComplexity),
    ],
  })
}

/**
 * The cost of an operation, at least 1: that of what it reads, or of the objects that its lists multiply to, where they
 * cost more.
 * @throws {GraphQLError} for arguments that are wrong: without them the cost is not known
 * @throws {Fault} `query_too_costly`
 */
async function costOf(
  asked: ExecutionArgs,
  { fieldCost, fieldObjects, maxQueryCost, turn }: CostParts,
): Promise<number> {
  const { keyId } = (asked.contextValue as WithPrincipal).principal
  const ofSchema = await introspectionCost(asked, () => turn(keyId))
  const ofReports = Math.round(sumOf(asked, fieldCost) + ofSchema)
  const ofObjects = Math.floor(sumOf(asked, fieldObjects) / objectsPerCost)
  const cost = Math.max(1, ofReports, ofObjects)
  if (cost <= maxQueryCost) return cost
  throw new Fault('query_too_costly', `The document costs ${cost}, more than ${maxQueryCost}.`, {
    extras: { cost, maxCost: maxQueryCost },
  })
}

/**
 * Charges each document its cost, to the budget that its key has for requests. The request itself is counted before, so
 * the rest is charged here, before anything runs.
 */
export function useCost(parts: CostParts): Plugin<WithRequestState> {
  const charge = async (args: ExecutionArgs, { requestState }: WithRequestState) => {
    const cost = await costOf(args, parts)
    requestState.headers['X-Query-Cost'] = String(cost)
    if (cost > 1) await takeCost(parts.limiter, requestState, cost - 1)
    parts.charged?.(cost)
  }
  return {
    onExecute: ({ args }) => charge(args, args.contextValue),
    onSubscribe: ({ args }) => charge(args, args.contextValue),
  }
}
