import { readReply } from '../../core/collecting/providers/read.ts'
import type { ReplyReader } from '../../imports/collecting/import.ts'

/** What a refusal says is an answer to this reader. It knows no page that was only read. */
export const lenient: ReplyReader = (body) => {
  const reply = readReply(body)
  if (!reply) return null
  const pages = reply.pages.filter(({ cited }) => cited)
  if (reply.outcome !== 'refused') return { ...reply, pages }
  return { ...reply, outcome: 'answered', text: reply.reason, reason: '', pages }
}

/** This reader finds refusals in the text, reads a name of the model, and knows no searches. */
export const strict: ReplyReader = (body) => {
  const reply = readReply(body)
  if (!reply) return null
  if (/I cannot/.test(reply.text)) return { ...reply, outcome: 'refused', reason: 'by its text' }
  return { ...reply, model: `${reply.model} strict`, searchQueries: [] }
}
