import { publicSchema } from '../../../schema/index.ts'

/** The four writes of prompts: the field of the schema, and the end of the path below `/prompts`. */
export const promptWrites = {
  addPrompts: { method: 'POST', end: '' },
  updatePrompt: { method: 'PATCH', end: '/{promptId}' },
  setPromptTracking: { method: 'POST', end: '/{promptId}/tracking' },
  restorePromptWording: { method: 'POST', end: '/{promptId}/restore-wording' },
} as const

export type PromptWriteName = keyof typeof promptWrites

export const promptWriteNames = Object.keys(promptWrites) as PromptWriteName[]

export interface PromptPlace {
  readonly projectId: string
  readonly promptId: string
}

/** The paths of a write: the frozen one, and its alias. */
export function pathsOf(name: PromptWriteName, { projectId, promptId }: PromptPlace): string[] {
  const end = promptWrites[name].end.replace('{promptId}', promptId)
  return ['mcp', 'v1'].map((prefix) => `/api/${prefix}/projects/${projectId}/prompts${end}`)
}

/** The write as a GraphQL mutation that takes every argument as a variable. */
export function mutationOf(name: PromptWriteName): string {
  const args = publicSchema.getMutationType()?.getFields()[name]?.args ?? []
  const declared = args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ')
  const given = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ')
  return `mutation(${declared}) { ${name}(${given}) { __typename } }`
}
