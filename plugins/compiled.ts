import type { Plugin } from '@envelop/core'
import {
  BREAK,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import type { CompiledQuery } from 'graphql-jit'

type Compiled = CompiledQuery['query'] | 'refused'

/** Compiled operations, kept as long as the parsed document that they came from. */
const compiled = new WeakMap<GraphQLSchema, WeakMap<DocumentNode, Map<string, Compiled>>>()
const seenOnce = new WeakSet<DocumentNode>()

/** Whether a document uses a name that every object has, such as `constructor`: compiled code reads and writes it otherwise. */
function hasOddName(document: DocumentNode): boolean {
  let isOdd = false
  visit(document, {
    Name({ value }) {
      if (!(value in Object.prototype)) return undefined
      isOdd = true
      return BREAK
    },
  })
  return isOdd
}

async function compile({ schema, document, operationName }: ExecutionArgs): Promise<Compiled> {
  const perSchema = compiled.get(schema) ?? new WeakMap<DocumentNode, Map<string, Compiled>>()
  compiled.set(schema, perSchema)
  const perDocument = perSchema.get(document) ?? new Map<string, Compiled>()
  perSchema.set(document, perDocument)
  const name = operationName ?? ''
  const known = perDocument.get(name)
  if (known) return known
  if (hasOddName(document)) {
    perDocument.set(name, 'refused')
    return 'refused'
  }
  // With its packages it would take a tenth of the start, and the first requests need none of it.
  const { compileQuery, isCompiledQuery } = await import('graphql-jit')
  const result = compileQuery(schema, document, name)
  const made = isCompiledQuery(result) ? result.query : 'refused'
  perDocument.set(name, made)
  return made
}

/**
 * The variables of a request, and the defaults of those that it leaves out and that may not be null: graphql-jit asks for
 * such a variable before it looks for a default.
 */
function variablesOf({ document, operationName, variableValues }: ExecutionArgs) {
  const declared = getOperationAST(document, operationName)?.variableDefinitions ?? []
  const defaults = declared.flatMap(({ variable, type, defaultValue }) =>
    type.kind === Kind.NON_NULL_TYPE && defaultValue
      ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const]
      : [],
  )
  return { ...Object.fromEntries(defaults), ...variableValues }
}

/** Runs an operation through its compiled form; undefined when it cannot be compiled. */
export async function runCompiled(args: ExecutionArgs): Promise<ExecutionResult | undefined> {
  const query = await compile(args)
  if (query === 'refused') return undefined
  return query(args.rootValue, args.contextValue, variablesOf(args))
}

/**
 * Runs repeated documents through graphql-jit, several times as fast as walking the tree. A document is
 * compiled at its second run, so that a flood of different documents costs no more than without.
 */
export function useCompiled(): Plugin {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      if (!seenOnce.has(args.document)) {
        seenOnce.add(args.document)
        return
      }
      setExecuteFn(
        async (execution: ExecutionArgs) => (await runCompiled(execution)) ?? executeFn(execution),
      )
    },
  }
}
