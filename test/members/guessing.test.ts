import { expect, test } from 'vitest'
import { addMember } from '../../resolvers/members/members.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { useApi } from '../kit/api.ts'

/** Thousands of guesses at passwords, behind a proxy that says where each comes from. */

const api = useApi({ TRUST_PROXY: '127.0.0.1' })

/** Sends guesses a few at a time. @returns how often each status came */
async function guess(total: number, of: (n: number) => { email: string; from: string }) {
  const statuses = new Map<number, number>()
  let next = 0
  const send = async () => {
    for (let n = next++; n < total; n = next++) {
      const { email, from } = of(n)
      const response = await fetch(`${api.url}/sign-in/password`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          origin: api.url,
          'x-forwarded-for': from,
        },
        body: JSON.stringify({ email, password: `guess number ${n}` }),
      })
      await response.arrayBuffer()
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: 4 }, send))
  return Object.fromEntries(statuses)
}

const address = (n: number) => `203.0.${Math.floor(n / 250)}.${(n % 250) + 1}`

test('two thousand guesses at one account from as many addresses: fifty are looked at', async () => {
  const workspace = await api.workspace()
  const email = `ann@${workspace.id}.test`
  await addMember(api.db, commandLine, workspace.id, { email })
  expect(await guess(2000, (n) => ({ email, from: address(n) }))).toEqual({ 401: 50, 429: 1950 })
})

test('two thousand guesses from one address through as many accounts: a hundred are looked at, and others go on', async () => {
  const found = await guess(2000, (n) => ({ email: `${n}@many.test`, from: '198.51.100.7' }))
  expect(found).toEqual({ 401: 100, 429: 1900 })
  expect(await guess(1, () => ({ email: 'bob@many.test', from: '198.51.100.8' }))).toEqual({
    401: 1,
  })
})
