import { costOf } from './cost.ts'
import type { ProviderReply } from './reply.ts'
import type { AskedProvider } from './request.ts'

export const hasAnswer = ({ outcome }: ProviderReply) =>
  outcome === 'answered' || outcome === 'cut_off'

/** How a question ended that the provider replied to. */
export function endingOf(reply: ProviderReply) {
  const { outcome, reason } = reply
  const state = hasAnswer(reply) ? 'answered' : outcome === 'failed' ? 'failed' : 'absent'
  const said =
    outcome === 'answered' ? {} : { reason: [outcome, reason].filter(Boolean).join(': ') }
  return { state, outcome, ...said } as const
}

interface Asked {
  readonly provider: AskedProvider
  readonly model: string
  readonly unitPrice: number | null
}

/** How such a question ended, with what it cost. */
export async function endOf({ provider, model, unitPrice }: Asked, reply: ProviderReply) {
  const { usage } = reply
  return {
    ...endingOf(reply),
    cost: await costOf(provider, model, usage, unitPrice),
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
  }
}
