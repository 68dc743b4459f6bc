import { z } from 'zod'
import { wrongArgument } from '../run.ts'

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)

export const project = z.string().min(1).max(200).describe('Id, exact name or domain.')

export const range = {
  from: day.optional().describe('With `to`, in place of `days`.'),
  to: day.optional(),
}

export const days = (most: number) =>
  z.int().min(1).max(most).optional().describe('Days up to today. Default: 30.')

export const platforms = z
  .array(z.string().max(100))
  .max(20)
  .optional()
  .describe('Such as chatgpt, gemini.')

export const cursor = z.string().max(2000).optional().describe('`next` of the page before.')

/** The result of each tool that answers with a table. It is in each conversation, so it says the least. */
export const table = z.looseObject({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.unknown())),
})

/** The window of the graph from the days or the dates of a call. */
export function windowOf({
  days: given,
  from,
  to,
}: {
  readonly days?: number | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}) {
  if ((from === undefined) !== (to === undefined)) {
    throw wrongArgument('`from` and `to` go together.', 'Send both, or `days`.')
  }
  if (from === undefined || to === undefined) return { days: given ?? 30 }
  if (given !== undefined) throw wrongArgument('`days` and `from` exclude each other.')
  return { from, to }
}

/** Lists without a cursor of the graph are cut by the place of a row. */
export function placeOf(after: string | undefined): number {
  if (after === undefined) return 0
  if (!/^\d{1,6}$/.test(after)) throw wrongArgument('`cursor` is not one of this list.')
  return Number(after)
}
