import {
  type ExecutionResult,
  execute,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLSchema,
  isRequiredArgument,
  parse,
} from 'graphql'
import { type Fault, invalid } from '../../core/errors.ts'
import type { PlannedAction, PlannedAllowance, PlannedSaid } from '../../core/planned-changes.ts'
import type { Db } from '../../prisma/client.ts'
import type { AccessRule } from '../kit/access-rule.ts'
import { variableError } from '../kit/argument-faults.ts'
import type { Context } from '../kit/context.ts'
import { type ActionFacts, actions, type PlannedInput } from './actions.ts'

/** What a change did in a transaction. */
export interface Outcome {
  readonly said: PlannedSaid
  /** The answer of the mutation. */
  readonly result: object
}

type Field = GraphQLField<unknown, unknown>

function fieldOf(schema: GraphQLSchema, action: PlannedAction): Field {
  const name = actions[action].mutation
  const field = schema.getMutationType()?.getFields()[name]
  if (!field) throw new Error(`There is no mutation ${name}`)
  return field
}

/** Who may make the change. */
export const accessOf = (schema: GraphQLSchema, action: PlannedAction): AccessRule =>
  fieldOf(schema, action).extensions.access as AccessRule

/** Arguments that are not the client's to give. */
const own = ['projectId', 'idempotencyKey', 'expectedRevision']

function givenArgs(field: Field, { fixed = {}, without = [] }: ActionFacts): GraphQLArgument[] {
  const hidden = [...own, ...without, ...Object.keys(fixed)]
  return field.args.filter(({ name }) => !hidden.includes(name))
}

/** Refuses what the mutation does not take, which GraphQL would leave out without a word. @throws {Fault} `invalid_argument` */
function requireKnown(
  action: PlannedAction,
  args: readonly GraphQLArgument[],
  input: PlannedInput,
) {
  const known = args.map(({ name, type }) => `${name}: ${type}`).join(', ') || 'nothing'
  for (const name of Object.keys(input)) {
    if (args.some((arg) => arg.name === name)) continue
    throw invalid(`input.${name}`, `is not a field of ${action}, which takes ${known}`)
  }
  for (const arg of args) {
    if (!isRequiredArgument(arg) || input[arg.name] != null) continue
    throw invalid(`input.${arg.name}`, `is missing: ${action} takes ${known}`)
  }
}

/** Runs an operation of the graph for the principal of the context. @throws the fault of the first error, or of its problem */
async function inside(
  schema: GraphQLSchema,
  context: Context,
  text: string,
  variableValues: PlannedInput,
): Promise<Readonly<Record<string, unknown>>> {
  const document = parse(text, { noLocation: true })
  const wrong = variableError({ schema, document, operationName: null, variableValues })
  if (wrong) throw wrong.originalError ?? wrong
  let problem: Fault | undefined
  const contextValue: Context = {
    ...context,
    ifMatch: [],
    onProblem(fault) {
      problem = fault
    },
  }
  const { data, errors }: ExecutionResult = await execute({
    schema,
    document,
    variableValues,
    contextValue,
  })
  const [error] = errors ?? []
  if (problem ?? error) throw problem ?? error?.originalError ?? error
  return data as Readonly<Record<string, unknown>>
}

type QuotaFound = { readonly current: number; readonly limit: number | null }

/**
 * Makes a change by the mutation of its action, with the rights of the principal, in the transaction `tx`: who plans undoes it,
 * who applies it does not. So a plan says what the mutation does, and not what we believe that it does.
 * @throws {Fault} those of the mutation
 */
export async function outcomeOf(
  { schema, context, tx }: { schema: GraphQLSchema; context: Context; tx: Db },
  { action, projectId, input }: { action: PlannedAction; projectId: string; input: PlannedInput },
): Promise<Outcome> {
  const facts = actions[action]
  const { mutation, fixed = {}, before, idOf, result: selection, takes, words } = facts
  const field = fieldOf(schema, action)
  requireKnown(action, givenArgs(field, facts), input)
  const services = { ...context.services, db: tx } as Context['services']
  const asked: Context = { ...context, services }
  const read = async (what: string) => {
    const id = idOf === undefined ? {} : { id: input[idOf] }
    const declared = idOf === undefined ? '' : ', $id: ID!'
    const query = `query ($projectId: ID!${declared}) { project(id: $projectId) { ${what} } }`
    return (await inside(schema, asked, query, { projectId, ...id })).project
  }
  const used = async () => {
    if (!takes) return undefined
    const project = await read(`usage { quotas { of: ${takes} { current limit } } }`)
    return (project as { usage: { quotas: { of: QuotaFound } } | null }).usage?.quotas.of
  }
  const was = before === undefined ? {} : await read(before)
  const usedBefore = await used()
  const revision = (was as { prompt?: { currentRevision: number } | null }).prompt?.currentRevision
  const given: PlannedInput = {
    projectId,
    ...input,
    ...fixed,
    ...(revision !== undefined && { expectedRevision: revision }),
  }
  const named = field.args.filter(({ name }) => given[name] !== undefined)
  const declared = named.map(({ name, type }) => `$${name}: ${type}`).join(', ')
  const passed = named.map(({ name }) => `${name}: $${name}`).join(', ')
  const text = `mutation (${declared}) { result: ${mutation}(${passed}) { ${selection} } }`
  const { result } = await inside(schema, asked, text, given)
  const usedAfter = await used()
  const allowance: PlannedAllowance | null =
    takes && usedBefore && usedAfter
      ? {
          name: takes,
          before: usedBefore.current,
          after: usedAfter.current,
          limit: usedAfter.limit,
        }
      : null
  const {
    notes = [],
    costUsd = null,
    ...said
  } = words({
    before: was,
    result,
    input,
  })
  return { said: { ...said, notes, costUsd, allowance }, result: result as object }
}
