import { z } from 'zod'

/**
 * What the writes of prompts take, beside what stands in their paths. Unknown fields are left out, a field
 * may be absent, and null is no value of any.
 */

export const intentCategories = [
  'informational',
  'commercial',
  'transactional',
  'navigational',
] as const

export const trackingActions = ['archive', 'restore'] as const

export const mostPrompts = 10
/** Counted in Unicode code points, after trimming: an emoji is as long as a letter. */
export const mostCharacters = 2000
/** What the catalog's integers hold. */
export const largest = 2 ** 31 - 1

export const promptText = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .refine((it) => [...it].length <= mostCharacters, `is longer than ${mostCharacters} characters`)
  .refine((it) => it.isWellFormed() && !it.includes('\0'), 'holds what is not a character')
  // For the document of REST: JSON Schema counts code points too.
  .meta({ maxLength: mostCharacters })

const revision = z.int().min(1).max(largest)
const expectedRevision = revision.optional()

const newPrompt = z.object({
  text: promptText,
  isBranded: z.boolean().optional(),
  // Whether they are ids of the project's topics, or ids at all, only the catalog knows.
  topicIds: z.array(z.string()).optional(),
})

const amount = `must hold 1 to ${mostPrompts} prompts`

/** The body of the addition of prompts. */
export const additionBody = z.object({
  prompts: z.array(newPrompt).min(1, amount).max(mostPrompts, amount),
})

export type NewPrompt = z.output<typeof newPrompt>

/** The body of a change to a prompt. Numbers are whole: what is read back is what was sent. */
export const updateBody = z.object({
  text: promptText.optional(),
  intentCategory: z.enum(intentCategories).optional(),
  isBranded: z.boolean().optional(),
  keywordSearchVolume: z.int().min(0).max(largest).optional(),
  keywordDifficulty: z.int().min(0).max(100).optional(),
  expectedRevision,
})

export type PromptUpdate = z.output<typeof updateBody>

/** The body that archives or restores a prompt. */
export const trackingBody = z.object({ action: z.enum(trackingActions), expectedRevision })

export type TrackingInput = z.output<typeof trackingBody>

/** The body that gives a prompt an earlier wording back. */
export const restorationBody = z.object({ revision, expectedRevision })

export type RestorationInput = z.output<typeof restorationBody>

/** One line of an import of prompts. What is absent the line says nothing of. */
export interface ImportedPrompt {
  /** Where it stands: of lines about one prompt the first counts. */
  readonly line: number
  readonly text: string
  readonly topic?: string | undefined
  readonly intentCategory?: (typeof intentCategories)[number] | undefined
  readonly isBranded?: boolean | undefined
  readonly keywordSearchVolume?: number | undefined
  readonly keywordDifficulty?: number | undefined
  readonly isTracked?: boolean | undefined
}
