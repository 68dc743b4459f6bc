import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { endSlowReader } from '../../rest/handler/timeouts.ts'

/** More than the buffers of a connection hold. */
const answerBytes = 16 * 1024 ** 2

/** Serves one large answer, and gives its response. */
async function serveLarge(withinMs: number) {
  const answers: ServerResponse[] = []
  const server = createServer((_, response) => {
    answers.push(response)
    endSlowReader(response, withinMs)
    response.end(Buffer.alloc(answerBytes))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, answers }
}

test('a client that does not take its answer loses its connection', async () => {
  const { port, answers } = await serveLarge(100)
  const client = connect(port, '127.0.0.1').on('error', () => {})
  onTestFinished(() => {
    client.destroy()
  })
  client.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(() => answers[0]?.closed).toBe(true)
  expect(answers[0]?.writableFinished).toBe(false)
})

test('a client that takes its answer keeps its connection', async () => {
  const { port, answers } = await serveLarge(60_000)
  const reply = await fetch(`http://127.0.0.1:${port}`)
  expect((await reply.arrayBuffer()).byteLength).toBe(answerBytes)
  expect(answers[0]?.writableFinished).toBe(true)
})
