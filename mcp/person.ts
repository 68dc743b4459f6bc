import { createHmac } from 'node:crypto'
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { plannedMs } from '../core/planned-changes.ts'
import type { Caller } from './run.ts'
import type { Person } from './tools/tool.ts'

interface Envelope {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: { readonly elicitation?: object }
}

/** Whether a client shows forms. One that names no mode shows forms; clients of former revisions cannot be asked in an answer. */
function showsForms({ mcpReq: { envelope } }: ServerContext): boolean {
  const { elicitation } = (envelope as Envelope | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}
  return elicitation !== undefined && ('form' in elicitation || !('url' in elicitation))
}

const decision = 'approve'

const form = {
  type: 'object' as const,
  properties: {
    [decision]: {
      type: 'boolean' as const,
      title: 'Approve this change',
      description: 'Sightline changes your data when you approve.',
    },
  },
  required: [decision],
}

/**
 * How tools ask the person in front of a client. What the client brings back is signed, for one caller and one subject, and
 * holds as long as a plan.
 */
export function personsOf(secret: string) {
  const key = createHmac('sha256', secret).update('sightline tools person').digest()
  return (context: ServerContext, { rateBucket = '' }: Pick<Caller, 'rateBucket'>): Person => {
    const { inputResponses, requestState } = context.mcpReq
    const codecOf = (subject: string) =>
      createRequestStateCodec<string>({
        key,
        ttlSeconds: plannedMs / 1000,
        bind: () => `${rateBucket}\0${subject}`,
      })
    return {
      canAsk: showsForms(context),
      async answerTo(subject) {
        const response = inputResponse(inputResponses, decision)
        if (response.kind !== 'elicit') return undefined
        const state = requestState()
        if (typeof state !== 'string') return undefined
        const isOurs = await codecOf(subject)
          .verify(state, context)
          .then(() => true)
          .catch(() => false)
        // A question that was not ours, of another plan, or too old is asked again.
        if (!isOurs) return undefined
        if (response.action === 'cancel') return 'undecided'
        const isApproved = response.action === 'accept' && response.content?.[decision] === true
        return isApproved ? 'approved' : 'refused'
      },
      async question(subject, message) {
        return inputRequired({
          inputRequests: {
            [decision]: inputRequired.elicit({ message, requestedSchema: form }),
          },
          requestState: await codecOf(subject).mint(subject, context),
        })
      },
    }
  }
}
