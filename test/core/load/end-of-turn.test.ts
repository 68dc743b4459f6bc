import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { atEndOfTurn } from '../../../core/load/end-of-turn.ts'

test('the heads of all replies of a turn are made before the first byte is sent', async () => {
  const done: string[] = []
  const socketOf = (name: string) => ({
    cork: () => done.push(`cork ${name}`),
    uncork: () => done.push(`send ${name}`),
  })
  atEndOfTurn(socketOf('a'), () => done.push('head a'))
  atEndOfTurn(null, () => done.push('head of a client that left'))
  atEndOfTurn(socketOf('b'), () => done.push('head b'))
  expect(done).toEqual([])
  await new Promise((resolve) => setImmediate(resolve))
  expect(done).toEqual([
    ...['cork a', 'head a', 'head of a client that left', 'cork b', 'head b'],
    ...['send a', 'send b'],
  ])
})

test('requests that come at once on one connection get their replies in order', async () => {
  const answer = (response: ServerResponse, text: string) =>
    atEndOfTurn(response.socket, () => response.end(text))
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
    import { atEndOfTurn } from ${JSON.stringify(module)}
    process.on('uncaughtException', ({ message }) => console.log(message))
    const socket = { cork() {}, uncork: () => console.log('sent') }
    atEndOfTurn(socket, () => { throw new Error('faulty') })
    atEndOfTurn(socket, () => console.log('written'))`
  const args = ['--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout.split('\n')).toEqual(['written', 'sent', 'sent', 'faulty', ''])
})
