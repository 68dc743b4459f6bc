import { expect, test } from 'vitest'
import { parsePrivateHosts } from '../../core/sites/private-hosts.ts'
import { type OpenChannel, sendTo } from '../../sending/channel.ts'
import { openReceiver } from '../kit/channels/receiver.ts'

/** Nothing on a private network can be reached by the address of a channel. */

const event = {
  type: 'test.ping' as const,
  timestamp: '2026-11-28T06:00:00.000Z',
  data: { workspaceId: '1', project: null, title: 'A test', text: '', facts: [], link: '/' },
}
const channelAt = (address: string): OpenChannel => ({
  kind: 'webhook',
  name: 'Ops',
  address,
  secrets: [],
  unsubscribeUrl: '',
})
const refused = /private network/
const sent = (address: string, parts: Partial<Parameters<typeof sendTo>[2]> = {}) =>
  sendTo(channelAt(address), { id: '1', event }, { privateHosts: [], mailer: null, ...parts })

test.each([
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://localhost/',
  'https://intranet/',
  'https://169.254.169.254/latest/meta-data',
  'https://2130706433/',
])('%s is refused', async (address) => {
  expect((await sent(address)).problem).toMatch(refused)
})

test('a name with one private address among public ones is refused, and is resolved once', async () => {
  let looks = 0
  const resolve = async () => {
    looks++
    return [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.5', family: 4 },
    ]
  }
  expect((await sent('https://rebinding.example/', { resolve })).problem).toMatch(refused)
  expect(looks).toBe(1)
})

test('only what the operator names is reached, by the address and port that stand there', async () => {
  const receiver = await openReceiver()
  const privateHosts = parsePrivateHosts(receiver.privateHost) ?? []
  expect((await sent('http://hooks.test/x', { privateHosts })).isSent).toBe(true)
  expect((await sent('http://other.test/x', { privateHosts })).problem).toMatch(/https/)
  expect((await sent('https://hooks.test/x', { privateHosts })).isSent).toBe(false)
  expect(receiver.received.map(({ path }) => path)).toEqual(['/x'])
  await receiver.close()
})

test('a receiver that does not answer in time is a failure in words', async () => {
  const receiver = await openReceiver()
  receiver.answer({ status: 204, isSilent: true })
  const privateHosts = parsePrivateHosts(receiver.privateHost) ?? []
  const { problem, isSent } = await sent('http://hooks.test/', { privateHosts, timeoutMs: 300 })
  expect([isSent, problem]).toEqual([false, 'The receiver did not answer within 15 seconds.'])
  await receiver.close()
})
