import '../../../schema/kit/access.ts'
import SchemaBuilder from '@pothos/core'
import type { Context } from '../../../schema/kit/context.ts'

/** A builder of its own, under the rules of the schema: what a test plants in the shared one would stay there. */
export function plantingBuilder() {
  const builder = new SchemaBuilder<{ Context: Context; DefaultFieldNullability: false }>({
    plugins: ['access'],
    defaultFieldNullability: false,
    // Pothos asks for the options of every plugin that it has types of.
  } as never)
  builder.queryType({})
  return builder
}
