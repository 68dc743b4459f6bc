import { z } from 'zod'
import { jsonIn } from '../../json.ts'

const asked = z.object({ query: z.string() })

/** The question in the arguments of a search, which xAI and Groq write as JSON; null without one. */
export const typedQuery = (text: string | null | undefined): string | null =>
  asked.safeParse(jsonIn(text ?? '')).data?.query ?? null
