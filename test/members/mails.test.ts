import { beforeAll, beforeEach, expect, test } from 'vitest'
import { signIn } from '../../resolvers/members/sessions.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { openMailbox } from '../kit/mail/mailbox.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'

/** Invitations and links for new passwords, as a real mail server gets them. */

const mailbox = await openMailbox()
const api = useApi(
  {
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Sightline <sightline@example.com>',
    PUBLIC_URL: 'https://sightline.example.com',
  },
  undefined,
  { ownDatabase: true },
)
api.atEnd(mailbox.close)
let worker: TestWorker
let workspace: TestWorkspace
let owner = ''

beforeAll(async () => {
  worker = await startTestWorker(api)
  workspace = await api.workspace()
  owner = (await workspace.key({ scopes: ['admin'] })).key
})
beforeEach(() => mailbox.refuse(null))

async function invite(email: string): Promise<string> {
  const mutation = `mutation ($email: String!) {
    addMember(workspaceId: "${workspace.id}", email: $email, role: editor) { subjectId }
  }`
  const response = await api.graphql(mutation, owner, { email })
  const { data } = (await response.json()) as { data: { addMember: { subjectId: string } } }
  await worker.idle()
  return data.addMember.subjectId
}

async function post(path: string, body: object) {
  const response = await fetch(api.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: api.url },
    body: JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}

const mailsTo = (address: string) => mailbox.mails.filter(({ to }) => to.includes(address))
const tokenIn = (text = '', path: string) => new RegExp(`${path}#(\\S+)`).exec(text)?.[1] ?? ''

test('an invitation comes by mail, and its link opens the invitation', async () => {
  const id = await invite('ann@example.com')
  const [received] = mailsTo('ann@example.com')
  expect(received?.mail.subject).toBe('Join Test on Sightline')
  expect(received?.mail.from?.text).toBe('"Sightline" <sightline@example.com>')
  const token = tokenIn(received?.mail.text, 'https://sightline.example.com/join')
  expect(received?.mail.html).toContain(`https://sightline.example.com/join#${token}`)
  const shown = await post('/join/invitation', { token })
  expect(JSON.parse(shown.text)).toMatchObject({ id, email: 'ann@example.com', state: 'new' })
  const row = await api.db.invitation.findUniqueOrThrow({ where: { id } })
  expect([row.mailedAt !== null, row.mailProblem]).toEqual([true, null])
})

test('a person chooses a new password by a mailed link, once', async () => {
  const where = { workspaceId: workspace.id, role: 'owner' } as const
  const { user } = await api.db.membership.findFirstOrThrow({ where, include: { user: true } })
  await signIn(api.db, user.email)
  expect(await post('/sign-in/forgotten', { email: user.email })).toEqual({ status: 204, text: '' })
  await worker.idle()
  const [received] = mailsTo(user.email)
  const token = tokenIn(received?.mail.text, 'https://sightline.example.com/reset')
  const password = 'a new password'
  expect((await post('/reset/password', { token, password })).status).toBe(204)
  expect((await post('/sign-in/password', { email: user.email, password })).status).toBe(204)
  expect((await post('/reset/password', { token, password: 'another one' })).status).toBe(404)
  // Those of the mailed link and of the password: the browser of before is signed out.
  expect(await api.db.session.count({ where: { apiKey: { userId: user.id } } })).toBe(2)
})

test('an address without an account gets no mail, and nobody learns so', async () => {
  const email = 'nobody@example.com'
  expect(await post('/sign-in/forgotten', { email })).toEqual({ status: 204, text: '' })
  await worker.idle()
  expect(mailsTo(email)).toEqual([])
})

test('one address is sent three links an hour', async () => {
  const email = 'often@example.com'
  const statuses: number[] = []
  for (let at = 0; at < 4; at++) {
    statuses.push((await post('/sign-in/forgotten', { email })).status)
  }
  expect(statuses).toEqual([204, 204, 204, 429])
})

// Last: its job waits for another try.
test('the invitation says why the mail server did not take it', async () => {
  mailbox.refuse(451)
  const email = 'bob@example.com'
  const mutation = `mutation { addMember(workspaceId: "${workspace.id}", email: "${email}") { changed } }`
  await api.graphql(mutation, owner)
  await expect
    .poll(
      async () => (await api.db.invitation.findFirst({ where: { email } }))?.mailProblem ?? '',
      { timeout: 20_000 },
    )
    .toMatch(/No such user here/)
  expect(mailsTo(email)).toEqual([])
})
