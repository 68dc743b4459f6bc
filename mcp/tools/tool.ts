import type { InputRequiredResult } from '@modelcontextprotocol/server'
import type { GraphQLSchema } from 'graphql'
import type { z } from 'zod'
import type { Asking } from '../run.ts'

/** What a tool works with: the graph as the caller sees it. */
/** The person in front of the client, as far as the client lets a tool ask. */
export interface Person {
  /** Whether the client shows forms. */
  readonly canAsk: boolean
  /** What the person decided on the question about a subject; undefined before it was asked. */
  answerTo(subject: string): Promise<'approved' | 'refused' | 'undecided' | undefined>
  /** The result of a tool that asks the person first. */
  question(subject: string, text: string): Promise<InputRequiredResult>
}

export interface ToolContext extends Asking {
  readonly person: Person
  readonly baseUrl: string
  readonly schema: GraphQLSchema
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject
  readonly output?: z.ZodObject
  /** Whether it changes data. */
  readonly isWrite?: true
  readonly run: (given: unknown, context: ToolContext) => Promise<object>
}

/** A tool whose answer has the types of its input. */
export function tool<Input extends z.ZodObject>(
  facts: Omit<Tool, 'run' | 'input'> & {
    readonly input: Input
    readonly run: (given: z.output<Input>, context: ToolContext) => Promise<object>
  },
): Tool {
  // The server has parsed what is given by the input of the tool.
  return { ...facts, run: (given, context) => facts.run(given as z.output<Input>, context) }
}
