import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import type { DataDir } from '../../cli/folder/data-dir.ts'
import { readDemo } from '../file.ts'
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
async function serveAssistants(runId: string) {
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
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * Serves the invented provider to the runs of the demonstration's projects alone. Their ids are in a file that only the
 * owner of the data folder writes. The server has the port for as long as the run asks, so runs reach no other program.
 */
export function demoProvider(dataDir: DataDir) {
  return async ({ id, projectId }: { readonly id: string; readonly projectId: string }) => {
    // The start has warned of a damaged file: then no project is the demonstration's.
    const demo = await readDemo(dataDir).catch(() => undefined)
    if (!demo || ![demo.projectId, demo.askingProjectId].includes(projectId)) return null
    const { port, close } = await serveAssistants(id)
    const target = { address: '127.0.0.1', port }
    return { hosts: [{ name: providerHost, port: 80, target }], close }
  }
}
