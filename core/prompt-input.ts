import { z } from 'zod'
import { wholeNumber } from './check.ts'
import type { ParsedLocation } from './countries.ts'
import { readable } from './names.ts'

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
  .superRefine(readable)
  // For the document of REST: JSON Schema counts code points too.
  .meta({ maxLength: mostCharacters })

const expectedRevision = wholeNumber(1, largest).optional()

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

/** A number from 0, rounded to the nearest whole number: the estimates of other tools have fractions. */
function estimate(most: number) {
  const rule = `must be a number from 0 to ${most}`
  // The frozen document of REST has no upper bound.
  return z
    .number(rule)
    .min(0, rule)
    .refine((value) => value <= most, rule)
    .transform(Math.round)
}

/** Searches per month. */
export const searchVolume = estimate(largest)
export const keywordDifficulty = estimate(100)

/** The body of a change to a prompt. */
export const updateBody = z.object({
  text: promptText.optional(),
  intentCategory: z.enum(intentCategories).optional(),
  isBranded: z.boolean().optional(),
  keywordSearchVolume: searchVolume.optional(),
  keywordDifficulty: keywordDifficulty.optional(),
  expectedRevision,
})

/** Prompts that one write may change together. */
export const mostTogether = 1000

const promptIds = z
  .array(z.string())
  .min(1, 'must name a prompt')
  .max(mostTogether, `must name at most ${mostTogether} prompts`)

/** The bodies of writes to several prompts. */
export const manyTrackingBody = z.object({ promptIds, action: z.enum(trackingActions) })
export const manyTopicsBody = z.object({
  promptIds,
  addTopicIds: z.array(z.string()).optional(),
  removeTopicIds: z.array(z.string()).optional(),
})
export const deletionBody = z.object({ promptIds })

export type PromptUpdate = z.output<typeof updateBody>

/** The body that archives or restores a prompt. */
export const trackingBody = z.object({ action: z.enum(trackingActions), expectedRevision })

export type TrackingInput = z.output<typeof trackingBody>

/** The body that restores an earlier wording of a prompt. No prompt has a revision 0: it is not found. */
export const restorationBody = z.object({ revision: wholeNumber(0, largest), expectedRevision })

export type RestorationInput = z.output<typeof restorationBody>

/** One line of a prompt import. An absent field leaves the prompt unchanged. */
export interface ImportedPrompt {
  /** Line number in the file. Of several lines about one prompt, the first counts. */
  readonly line: number
  readonly text: string
  readonly topics?: readonly string[] | undefined
  /** Where the prompt is asked. */
  readonly location?: ParsedLocation | undefined
  readonly intentCategory?: (typeof intentCategories)[number] | undefined
  readonly isBranded?: boolean | undefined
  readonly keywordSearchVolume?: number | undefined
  readonly keywordDifficulty?: number | undefined
  readonly isTracked?: boolean | undefined
}
