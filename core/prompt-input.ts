import { hash } from 'node:crypto'
import { z } from 'zod'
import { wholeNumber } from './check.ts'

/**
 * The bodies of prompt writes. Unknown fields are ignored, an optional field may be absent, and null is refused.
 */

export const intentCategories = [
  'informational',
  'commercial',
  'transactional',
  'navigational',
] as const

export const trackingActions = ['archive', 'restore'] as const

export const mostPrompts = 10
/** Unicode code points after trimming. */
export const mostCharacters = 2000
/** The largest integer of the catalog. */
export const largest = 2 ** 31 - 1

export const promptText = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .refine(
    (it) => [...it].length <= mostCharacters,
    `must have at most ${mostCharacters} characters`,
  )
  .refine(
    (it) => it.isWellFormed() && !it.includes('\0'),
    'must hold Unicode characters only, and no NUL',
  )
  // For the document of REST: JSON Schema counts code points too.
  .meta({ maxLength: mostCharacters })

/** SHA-256 of a prompt's trimmed text in hex. Prompts with the same hash have the same wording. */
export function textHash(text: string): string {
  return hash('sha256', text.trim(), 'hex')
}

const revision = wholeNumber(1, largest)
const expectedRevision = revision.optional()

const newPrompt = z.object({
  text: promptText,
  isBranded: z.boolean().optional(),
  // Only the catalog knows which ids belong to the project.
  topicIds: z.array(z.string()).optional(),
})

const amount = {
  error: ({ input }: { input?: unknown }) =>
    `must hold 1 to ${mostPrompts} prompts; got ${Array.isArray(input) ? input.length : 'none'}`,
}

/** The body of the addition of prompts. */
export const additionBody = z.object({
  prompts: z.array(newPrompt).min(1, amount).max(mostPrompts, amount),
})

export type NewPrompt = z.output<typeof newPrompt>

/** The body of a change to a prompt. Numbers are whole, so clients read back what they sent. */
export const updateBody = z.object({
  text: promptText.optional(),
  intentCategory: z.enum(intentCategories).optional(),
  isBranded: z.boolean().optional(),
  keywordSearchVolume: wholeNumber(0, largest).optional(),
  keywordDifficulty: wholeNumber(0, 100).optional(),
  expectedRevision,
})

export type PromptUpdate = z.output<typeof updateBody>

/** The body that archives or restores a prompt. */
export const trackingBody = z.object({ action: z.enum(trackingActions), expectedRevision })

export type TrackingInput = z.output<typeof trackingBody>

/** The body that restores an earlier wording of a prompt. */
export const restorationBody = z.object({ revision, expectedRevision })

export type RestorationInput = z.output<typeof restorationBody>

/** One line of a prompt import. An absent field leaves the prompt unchanged. */
export interface ImportedPrompt {
  /** Line number in the file. Of several lines about one prompt, the first counts. */
  readonly line: number
  readonly text: string
  readonly topic?: string | undefined
  readonly intentCategory?: (typeof intentCategories)[number] | undefined
  readonly isBranded?: boolean | undefined
  readonly keywordSearchVolume?: number | undefined
  readonly keywordDifficulty?: number | undefined
  readonly isTracked?: boolean | undefined
}
