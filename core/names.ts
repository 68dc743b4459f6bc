/** A character that leaves a mark on paper. Zero-width signs, fillers and variation selectors leave none. */
const visible = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u

/**
 * Signs that turn the direction of the text after them: it reads as another text. The marks of single
 * characters (U+200E, U+200F, U+061C), which names in Arabic and Hebrew have, turn nothing else.
 */
const turning = /[\u202a-\u202e\u2066-\u2069]/

/** What makes a text no name for people. The rule of every name, title and question. */
export function nameRule(text: string): string | null {
  if (!visible.test(text)) return 'must have a visible character'
  if (turning.test(text)) {
    return 'must not contain characters that turn the direction of text (U+202A to U+202E, U+2066 to U+2069)'
  }
  return null
}

/** The same for a schema: `z.string().superRefine(readable)`. */
export function readable(text: string, context: { addIssue(rule: string): void }): void {
  // An empty text has a fault already.
  const rule = text === '' ? null : nameRule(text)
  if (rule !== null) context.addIssue(rule)
}
