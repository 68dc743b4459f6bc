import { GraphQLError } from 'graphql'
import { builder } from './builder.ts'

function safeInteger(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value)) {
    // Beyond 2^53 a number is only approximately itself: the nearest safe one clamps like any other.
    return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value))
  }
  throw new GraphQLError(`SafeInt must be an integer, not ${JSON.stringify(value)}`)
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  throw new GraphQLError(`must be a text, not ${JSON.stringify(value)}`)
}

builder.scalarType('SafeInt', {
  description: 'An integer between -(2^53 - 1) and 2^53 - 1.',
  serialize: (value) => value,
  parseValue: safeInteger,
})

builder.scalarType('Date', {
  description:
    'A UTC calendar day, `YYYY-MM-DD`. As input also a full ISO 8601 timestamp, widened to its UTC day.',
  serialize: (value) => value,
  parseValue: text,
})

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => value,
})

// The stores already give what should be printed: no re-parsing on the way out.
builder.scalarType('DateTime', {
  description: 'A point in time, ISO 8601, in UTC.',
  serialize: (value) => (value instanceof Date ? value.toISOString() : value),
  parseValue: text,
})
