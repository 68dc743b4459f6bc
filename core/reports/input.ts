import { z } from 'zod'
import { Fault } from '../errors.ts'
import { readable } from '../names.ts'
import { resolveWindow, yearWindow } from '../window.ts'

/** What a report may be about. */
export const reportTypes = ['visibility', 'sentiment', 'combined'] as const
export type ReportType = (typeof reportTypes)[number]

/** Unicode code points after trimming. */
export const mostTitleCharacters = 200

const title = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .refine(
    (text) => [...text].length <= mostTitleCharacters,
    `is longer than ${mostTitleCharacters} characters`,
  )
  .refine(
    (text) => text.isWellFormed() && !/\p{Cc}/u.test(text),
    'must not contain control characters',
  )
  .superRefine(readable)
  .meta({ maxLength: mostTitleCharacters })

/** The body of a request for a report. */
export const reportBody = z
  .object({
    reportType: z.enum(reportTypes, `must be one of ${reportTypes.join(', ')}`),
    title: title.optional(),
    days: z
      .int()
      // Ends the reading: no window has fewer days.
      .min(1, { abort: true })
      .transform((days) => Math.min(days, yearWindow.maxDays))
      .optional(),
    from: z.string().optional(),
    to: z.string().optional(),
    share: z.boolean().optional(),
  })
  .superRefine(({ days, from, to }, context) => {
    try {
      resolveWindow({ days, from, to }, yearWindow, new Date())
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      for (const [name, messages] of Object.entries(error.extras.details?.fieldErrors ?? {})) {
        for (const message of messages) {
          context.addIssue({ code: 'custom', path: [name], message })
        }
      }
    }
  })

export type ReportInput = z.output<typeof reportBody>
