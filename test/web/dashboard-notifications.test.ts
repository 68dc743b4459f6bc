import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deliver } from '../../resolvers/shared/deliver.ts'
import { inTransaction } from '../../resolvers/shared/transaction.ts'
import { useApi } from '../kit/api.ts'
import { openReceiver } from '../kit/channels/receiver.ts'
import { openMailbox } from '../kit/mail/mailbox.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { ensureDashboard } from '../kit/web/dashboard.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'
import { cellsOf, expectSound } from './dashboard-page.ts'

const [receiver, mailbox] = await Promise.all([openReceiver(), openMailbox()])
const api = useApi(
  {
    ALLOW_PRIVATE_HOSTS: receiver.privateHost,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'sightline@example.com',
  },
  undefined,
  { ownDatabase: true },
)
api.atEnd(() => Promise.all([receiver.close(), mailbox.close()]))
const browser = useBrowser()
let worker: TestWorker
let project = ''
let admin = ''

beforeAll(async () => {
  await ensureDashboard()
  worker = await startTestWorker(api)
}, 300_000)

beforeEach(async () => {
  const workspace = await api.workspace()
  project = await workspace.project({ domain: 'acme.com' })
  admin = (await workspace.key({ scopes: ['admin'] })).key
})

describe.skipIf(lacksChromium)('notifications', () => {
  test('a webhook is added, tested, refused, sent to again, and gets a weekly digest', async () => {
    const url = `${api.url}/projects/${project}/settings/notifications#key=${admin}`
    const { page, ...rest } = await browser.open(url)
    await page.getByRole('button', { name: 'Add channel' }).click()
    const form = page.getByRole('dialog', { name: 'Add a channel' })
    await form.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'Webhook' }).click()
    await form.getByRole('button', { name: 'Add channel' }).click()
    await form.getByText('Enter an address that begins with https://.').waitFor()
    await form.getByLabel('Address').fill(`${receiver.url}/hook`)
    await form.getByLabel('Name').fill('Ops')
    await form.getByRole('combobox', { name: 'Events' }).click()
    await page.getByRole('option', { name: 'Run failed' }).click()
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Add channel' }).click()
    await page.getByText(/^whsec_/).waitFor()
    expect((await cellsOf(page, 'Channels'))[0]?.slice(0, 4)).toEqual([
      'OpsWebhook · http://hooks.test/…hook',
      'Run failed',
      'All projects',
      'On',
    ])
    receiver.answer({ status: 500, body: 'out of order' })
    await page.getByRole('button', { name: 'Test: Ops' }).click()
    await page.getByText('The receiver has a fault of its own (500).').first().waitFor()
    receiver.answer({ status: 204 })
    await page.getByRole('button', { name: 'Send again: A test of Sightline' }).click()
    await worker.idle()
    await inTransaction(api.db, (tx) =>
      deliver(tx, {
        type: 'run.failed',
        projectId: project,
        title: 'A run failed',
        page: 'data-collection',
      }),
    )
    await worker.idle()
    await page.reload()
    await expect
      .poll(async () => (await cellsOf(page, 'Deliveries')).map((row) => row.slice(1, 4)))
      .toEqual([
        ['Run failedA run failed', 'Ops', 'Sent'],
        ['TestA test of Sightline', 'Ops', 'Sent'],
      ])
    await page.getByRole('button', { name: 'Send weekly' }).click()
    await expect
      .poll(async () => (await cellsOf(page, 'Weekly digests'))[0]?.slice(0, 2))
      .toEqual(['Acme', 'Ops'])
    await expectSound({ page, ...rest }, 'notifications')
    await page.getByRole('button', { name: 'Options: Ops' }).click()
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    await expect.poll(async () => (await cellsOf(page, 'Channels'))[0]?.[3]).toBe('Paused')
    await page.getByRole('button', { name: 'Options: Ops' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No channel yet. Add one, and send a test.').waitFor()
  })

  test('a forgotten password is mailed, and the link sets a new one', async () => {
    const { user } = await api.db.membership.findFirstOrThrow({
      where: { workspace: { projects: { some: { id: project } } } },
      include: { user: true },
    })
    const { page, ...rest } = await browser.open(`${api.url}/`)
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await page.getByLabel('E-mail').fill(user.email)
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    await page.getByText(/^If .+ has an account here, a link is on its way\./).waitFor()
    await expectSound({ page, ...rest }, 'forgotten')
    await worker.idle()
    const text = mailbox.mails.find(({ to }) => to.includes(user.email))?.mail.text ?? ''
    const [, path = ''] = /http:\/\/[^/]+(\/reset#\S+)/.exec(text) ?? []
    await page.goto(api.url + path)
    await page.getByLabel('New password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Save and sign in' }).click()
    await page.getByRole('link', { name: 'Overview', exact: true }).waitFor()
    expect(new URL(page.url()).hash).toBe('')
  })
})
