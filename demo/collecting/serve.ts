import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import { type Served, serveLoopback } from '../loopback.ts'
import { replyTo } from './replies.ts'
import { addressOf, assistants, providerHost } from './world.ts'

const questionSchema = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string() })).min(1),
})

const promptIn = (body: unknown) =>
  questionSchema.safeParse(body).data?.messages.findLast(({ role }) => role === 'user')?.content

const assistantAt = (path: string | undefined) =>
  assistants.find((one) => `${addressOf(one)}/chat/completions` === `http://${providerHost}${path}`)

const fault = (message: string) => ({ error: { message } })

/** Answers the questions of one run at a free port of the loopback interface, for its own host name alone. */
export function serveAssistants(runId: string): Promise<Served> {
  const times = new Map<string, number>()
  async function replyOf(request: IncomingMessage): Promise<[status: number, body: object]> {
    if (request.headers.host !== providerHost) return [421, fault('This is another host.')]
    const assistant = assistantAt(request.url)
    if (!assistant || request.method !== 'POST') return [404, fault('Nothing is here.')]
    const prompt = promptIn(await json(request).catch(() => null))
    if (prompt === undefined) return [400, fault('The body asks nothing.')]
    const key = `${assistant.label}\n${prompt}`
    const time = (times.get(key) ?? 0) + 1
    times.set(key, time)
    return [200, replyTo(assistant, { prompt, time, runId, askedAt: new Date() })]
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const [status, body] = await replyOf(request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  return serveLoopback(answer)
}
