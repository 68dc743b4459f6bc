import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { sendAtEndOfTurn } from '../../../core/load/end-of-turn.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Sends replies, and records each step. */
function recorded() {
  const done: string[] = []
  const answer = (name: string, status: number, body?: string) => {
    const response = {
      writeHead: (sent: number) => done.push(`head ${name} ${sent}`),
      end: (sent?: string) => done.push(`end ${name} ${sent}`),
    }
    sendAtEndOfTurn(response, status, {}, body)
  }
  return { done, answer }
}

test('the heads of all replies of a turn are made before the first is sent', async () => {
  const { done, answer } = recorded()
  answer('a', 200, 'body')
  answer('b', 304)
  expect(done).toEqual([])
  await turn()
  await turn()
  expect(done).toEqual(['head a 200', 'head b 304', 'end a body', 'end b undefined'])
})

test('replies of two turns more are sent with those of the first, and no others', async () => {
  const { done, answer } = recorded()
  for (const name of ['a', 'b', 'c']) {
    answer(name, 304)
    expect(done).toEqual([])
    await turn()
  }
  answer('d', 304)
  const heads = ['head a 304', 'head b 304', 'head c 304']
  expect(done).toEqual([...heads, 'end a undefined', 'end b undefined', 'end c undefined'])
  await turn()
  await turn()
  expect(done.slice(6)).toEqual(['head d 304', 'end d undefined'])
})

test('requests that come at once on one connection get their replies in order', async () => {
  const answer = (response: ServerResponse, text: string) =>
    sendAtEndOfTurn(response, 200, {}, text)
  const server = createServer(({ url = '' }, response) => answer(response, `reply to ${url}\n`))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const head = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
  socket.write(head('/1') + head('/2') + head('/3', 'Connection: close\r\n'))
  const text = (await socket.setEncoding('utf8').toArray()).join('')
  expect(text.match(/reply to .*/g)).toEqual(['reply to /1', 'reply to /2', 'reply to /3'])
})

test('a reply that cannot be written keeps no other from its client', async () => {
  const module = fileURLToPath(new URL('../../../core/load/end-of-turn.ts', import.meta.url))
  const script = `
    import { sendAtEndOfTurn } from ${JSON.stringify(module)}
    process.on('uncaughtException', ({ message }) => console.log(message))
    const response = { writeHead() {}, end: (text) => console.log(text) }
    const faulty = { ...response, writeHead() { throw new Error('faulty') } }
    sendAtEndOfTurn(faulty, 200, {}, 'of no head')
    sendAtEndOfTurn(response, 200, {}, 'written')`
  const args = ['--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout.split('\n')).toEqual(['written', 'faulty', ''])
})
