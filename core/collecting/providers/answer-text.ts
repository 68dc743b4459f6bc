import { z } from 'zod'
import { withoutReasoning } from '../../text/reasoning.ts'
import { withoutMarks } from './marks.ts'

/** The content of a message: a text, or parts. Mistral has parts of reasoning beside those of text. */
export const content = z.union([
  z.string(),
  z.array(
    z.union([
      z.string(),
      z.object({ type: z.string().nullish(), text: z.string().nullish().catch(null) }),
    ]),
  ),
])
export type Content = z.infer<typeof content>

const textTypes = new Set(['text', 'output_text'])

/** The texts of a content, without parts of other types. */
export function textOf(given: Content | null | undefined): string {
  if (!Array.isArray(given)) return given ?? ''
  const texts = given.map((part) => {
    if (typeof part === 'string') return part
    return textTypes.has(part.type ?? 'text') ? (part.text ?? '') : ''
  })
  return texts.join('')
}

/** What a reader sees of a text: neither the reasoning of the model nor its private marks. */
export const shownText = (text: string): string => withoutMarks(withoutReasoning(text))

/** Texts that something else stands between, as paragraphs. */
export const paragraphs = (texts: readonly string[]): string =>
  texts.filter((text) => text.trim() !== '').join('\n\n')
