import { setTimeout as sleep } from 'node:timers/promises'
import pRetry from 'p-retry'
import { costOf } from '../../core/collecting/providers/cost.ts'
import { readReply } from '../../core/collecting/providers/read.ts'
import type { ProviderReply } from '../../core/collecting/providers/reply.ts'
import { type ProviderAccess, taskRequest } from '../../core/collecting/providers/request.ts'
import type { PrivateHost } from '../../core/sites/private-hosts.ts'
import {
  judgeVersionOf,
  messagesOf,
  type Question,
  verdictsOf,
} from '../../core/text/judge/prompt.ts'
import {
  type Asker,
  AskFault,
  type AskLimits,
  askLimits,
  openAsker,
} from '../../imports/collecting/ask.ts'
import { type Judge, JudgeFault, type Used } from '../../imports/judge/client.ts'

const retries = 3
/** A longer wait that the provider asks for is left to the queue of jobs. */
const longestWaitMs = 20_000

const mayPass = (fault: AskFault) => fault.mayPass && (fault.retryAfterMs ?? 0) <= longestWaitMs

/** Half a second, then twice as long each time, and a little less so that many do not come at once. */
const waitMs = ({ retryAfterMs }: AskFault, attempt: number) =>
  retryAfterMs ?? Math.min(500 * 2 ** (attempt - 1), 8000) * (1 - Math.random() / 4)

/** Other words of a provider than those that refuse a key are left out: they may repeat a passage. */
function faultOf(fault: AskFault, host: string): JudgeFault {
  const isAboutQuestions = fault.kind === 'request' || fault.kind === 'filtered'
  const waitS = fault.retryAfterMs === null ? null : Math.ceil(fault.retryAfterMs / 1000)
  const status = fault.status === null ? 'does not answer' : `answered ${fault.status}`
  const message = fault.endsKey ? fault.message : `${host} ${status}.`
  const { endsKey } = fault
  return new JudgeFault(message, isAboutQuestions, endsKey ? null : waitS, endsKey)
}

/** What a call took: as the provider says, at its own price or that of the list. */
async function usedBy({ provider, model }: ProviderAccess, reply: ProviderReply): Promise<Used> {
  const { inputTokens, outputTokens } = reply.usage
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    cost: await costOf(provider, model, { ...reply.usage, searches: 0 }),
  }
}

async function reply(
  asker: Asker,
  access: ProviderAccess,
  questions: readonly Question[],
  signal: AbortSignal,
) {
  const [{ content: instructions }, { content: input }] = messagesOf(questions)
  const request = taskRequest(access, { instructions, input })
  const { body } = await pRetry(() => asker.send(access, request, signal), {
    // Each wait is ours: a provider may ask for one.
    retries,
    signal,
    minTimeout: 0,
    shouldRetry: async ({ error, attemptNumber }) => {
      if (!(error instanceof AskFault && mayPass(error))) return false
      await sleep(waitMs(error, attemptNumber), undefined, { signal })
      return true
    },
  })
  return readReply(body)
}

/**
 * The judge of a project: a model by a provider key, asked without a search.
 * @param privateHosts ALLOW_PRIVATE_HOSTS: providers that may have a private address, or speak plain http
 */
export function judgeByKey(
  access: ProviderAccess,
  privateHosts: readonly PrivateHost[],
  limits: AskLimits = askLimits,
): Judge {
  const asker = openAsker(privateHosts, limits)
  const { origin: host } = new URL(access.baseUrl)
  return {
    version: judgeVersionOf(access.model),
    host,
    rate: async (questions, signal) => {
      try {
        const found = await reply(asker, access, questions, signal)
        return {
          verdicts: verdictsOf(found?.text ?? '', questions),
          used: found && (await usedBy(access, found)),
        }
      } catch (error) {
        signal.throwIfAborted()
        throw error instanceof AskFault ? faultOf(error, host) : error
      }
    },
  }
}
