import { importPrompts } from '../resolvers/prompts/import.ts'

export const imported = importPrompts
