import { GraphQLDateTimeISO, GraphQLJSON, GraphQLLocalDate, GraphQLSafeInt } from 'graphql-scalars'
import { builder } from './builder.ts'

/**
 * The scalars of graphql-scalars. Two things differ: an integer clamps where the library refuses it, and a
 * string that the stores print as a date is not parsed again.
 */

/** A parser whose errors GraphQL places in the document: it drops the place of a `GraphQLError`. */
function placed<Value>(parse: (value: unknown) => Value) {
  return (value: unknown): Value => {
    try {
      return parse(value)
    } catch (cause) {
      throw new TypeError(cause instanceof Error ? cause.message : String(cause), { cause })
    }
  }
}

/** An over-long limit clamps to the maximum of its argument: beyond 2^53 the nearest safe integer stands in. */
function clampedInteger(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value)) {
    return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value))
  }
  return Number(GraphQLSafeInt.parseValue(value))
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  throw new TypeError(`A date must be a string; got ${JSON.stringify(value)}.`)
}

const rfc3339 = 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6'

builder.scalarType('SafeInt', {
  description: 'A whole number that may exceed 32 bits, up to 2^53 - 1; in TypeScript `number`.',
  specifiedByURL: GraphQLSafeInt.specifiedByURL ?? null,
  extensions: GraphQLSafeInt.extensions,
  serialize: GraphQLSafeInt.serialize,
  parseValue: placed(clampedInteger),
})

builder.scalarType('Date', {
  description:
    'A UTC day: a string, `YYYY-MM-DD`. Input also takes an ISO 8601 timestamp, widened to its UTC day.',
  specifiedByURL: rfc3339,
  extensions: {
    ...GraphQLLocalDate.extensions,
    jsonSchema: { type: 'string', format: 'date' },
  },
  serialize: (value) => value,
  // The window parser reads days and timestamps, and its errors name the argument.
  parseValue: text,
})

builder.scalarType('JSON', {
  description: 'Any JSON value; in TypeScript `object | string | number | boolean | null`.',
  specifiedByURL: GraphQLJSON.specifiedByURL ?? null,
  extensions: {
    codegenScalarType: 'object | string | number | boolean | null',
    // A client may send any value; all that we ask for and answer with are objects.
    jsonSchema: { type: 'object' },
  },
  serialize: GraphQLJSON.serialize,
  parseValue: GraphQLJSON.parseValue,
})

builder.scalarType('DateTime', {
  description: 'A point in time: a string, ISO 8601 in UTC; in TypeScript `string`.',
  specifiedByURL: rfc3339,
  extensions: { ...GraphQLDateTimeISO.extensions, codegenScalarType: 'string' },
  // Parsing and printing a string again costs tenfold.
  serialize: (value) => (value instanceof Date ? value.toISOString() : value),
  parseValue: placed(GraphQLDateTimeISO.parseValue),
})
