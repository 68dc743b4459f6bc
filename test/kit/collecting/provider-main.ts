// Providers in a process of their own, which answer at once and count requests: `provider-main.ts <faults of a thousand>`.
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { askedProviders } from '../../../core/providers/request.ts'
import {
  bodies,
  cutOff,
  promptIn,
  type Question,
  type Reply,
  refusing,
  saying,
  sending,
} from './provider.ts'

const faultsOfThousand = Number(process.argv[2] ?? 0)

/** Errors repeat the key, as those of some providers do. */
const faults: readonly Reply[] = [
  refusing(429, { 'retry-after': '0.05' }),
  refusing(500),
  cutOff,
  (question, response) =>
    sending(`<html>${question.headers.authorization}</html>`)(question, response),
]

/** Requests by the name of their question. */
const asked = new Map<string, number>()
/** Questions that got one of the faults. */
const failed = new Set<string>()

const pausing: Reply = (question, response) => {
  const body = { ...bodies.anthropic('Acme is paused.'), stop_reason: 'pause_turn' }
  return sending(JSON.stringify(body))(question, response)
}

/** A question fails by its name, and only the first time. */
function replyTo(name: string, times: number): Reply {
  const drawn = Number.parseInt(hash('sha256', name, 'hex').slice(0, 8), 16)
  const fault = faults[Math.floor(drawn / 1000) % faults.length]
  if (fault === undefined || times > 1 || drawn % 1000 >= faultsOfThousand)
    return saying('Acme is great.')
  failed.add(name)
  return fault
}

const server = createServer(async (request, response) => {
  if (request.url === '/counts') {
    const counts = { asked: Object.fromEntries(asked), failed: [...failed] }
    response.end(JSON.stringify(counts))
    return
  }
  let text = ''
  for await (const chunk of request) text += chunk
  const body = JSON.parse(text)
  const [, name = '', ...rest] = (request.url ?? '').split('/')
  const provider = askedProviders.find((one) => one === name)
  if (!provider) throw new Error(`no provider ${name}`)
  const question: Question = {
    provider,
    prompt: promptIn(body),
    body,
    query: {},
    headers: request.headers,
    path: rest.join('/'),
  }
  // Anthropic pauses each turn once: the request that goes on with it has what it said.
  const isNext = Array.isArray(body.messages) && body.messages.length > 1
  const named = `${provider} ${question.prompt}${isNext ? ' again' : ''}`
  const times = (asked.get(named) ?? 0) + 1
  asked.set(named, times)
  const reply = provider === 'anthropic' && !isNext ? pausing : replyTo(named, times)
  await reply(question, response)
})
await once(server.listen(0, '127.0.0.1'), 'listening')
process.send?.({ port: (server.address() as AddressInfo).port })
process.once('disconnect', () => process.exit())
