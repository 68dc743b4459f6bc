import type { GraphQLSchema } from 'graphql'
import type { z } from 'zod'
import type { Asking } from '../run.ts'

/** What a tool works with: the graph as the caller sees it. */
export interface ToolContext extends Asking {
  readonly baseUrl: string
  readonly schema: GraphQLSchema
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject
  readonly output?: z.ZodObject
  readonly run: (given: never, context: ToolContext) => Promise<object>
}

/** A tool whose answer has the types of its input. */
export function tool<Input extends z.ZodObject>(
  facts: Omit<Tool, 'run' | 'input'> & {
    readonly input: Input
    readonly run: (given: z.output<Input>, context: ToolContext) => Promise<object>
  },
): Tool {
  return facts as unknown as Tool
}
