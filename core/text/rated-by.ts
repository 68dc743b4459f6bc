import type { sentimentMethods } from './sentiment.ts'

/** How the answers behind a sentiment were rated, as GraphQL says it beside each of its numbers. */
export interface Rating {
  readonly method: (typeof sentimentMethods)[number]
  /** Version of the model, or of the rules; null where neither rated any. */
  readonly methodVersion: string | null
}

/** Who rated the answers, in words that go after a number: "by rules (version 4)", "by gpt-5-mini@1f0c". */
export function ratedBy({ method, methodVersion }: Rating): string {
  const rules = methodVersion === null ? 'by rules' : `by rules (version ${methodVersion})`
  if (method === 'judge') return `by ${methodVersion ?? 'a model'}`
  if (method === 'imported') return 'as imported'
  return method === 'mixed' ? `as imported and ${rules}` : rules
}
