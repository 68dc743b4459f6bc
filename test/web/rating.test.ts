import { beforeAll, describe, expect, test } from 'vitest'
import { sendJob } from '../../resolvers/shared/jobs.ts'
import { useApi } from '../kit/api.ts'
import { bodies, type Reply, saying, useProviders } from '../kit/collecting/provider.ts'
import { type AskedMention, firstWords } from '../kit/judge/provider.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { ensureDashboard } from '../kit/web/dashboard.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'
import { expectSound } from './dashboard-page.ts'

const providers = await useProviders()
const api = useApi({ ALLOW_PRIVATE_HOSTS: providers.hosts }, undefined, { ownDatabase: true })
const browser = useBrowser()
let worker: TestWorker
let project = ''
let admin = ''

const praising: Reply = ({ body }, response) => {
  const { mentions } = JSON.parse(String(body.input)) as { mentions: AskedMention[] }
  const ratings = mentions.map(({ id, passage }) => ({
    id,
    quote: firstWords(passage),
    tone: 'positive',
  }))
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify(bodies.openai(JSON.stringify({ ratings }))))
}

beforeAll(async () => {
  await ensureDashboard()
  worker = await startTestWorker(api)
  const workspace = await api.workspace()
  project = await workspace.project({ domain: 'acme.com' })
  admin = (await workspace.key({ scopes: ['admin'] })).key
  const texts = ['Acme is terrible.', 'Acme is awful.', 'Acme ist gut.']
  await workspace.load(
    project,
    texts.map((text, run) => ({ text, run })),
  )
  providers.next(saying('OK'))
  providers.always(praising)
  await api.graphql(
    `mutation { setProviderKey(workspaceId: "${workspace.id}", provider: openai, label: "Main",
       secret: "sk-1234567890ab", baseUrl: "${providers.baseUrl('openai')}") { providerKey { id } } }`,
    admin,
  )
}, 300_000)

describe.skipIf(lacksChromium)('sentiment by a model', () => {
  test('is chosen with its price in sight, and rates older answers on a click', async () => {
    const url = `${api.url}/projects/${project}/settings/sentiment#key=${admin}`
    const { page, ...rest } = await browser.open(url)
    const choice = page.getByRole('radiogroup', { name: 'Sentiment by' })
    await choice.getByText('Model').click()
    await page
      .getByText(/^About \$\d.* per 1,000 answers, estimated from your answers\.$/)
      .waitFor()
    await page.getByText('3 older answers will be unrated until the model has read them.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Model' }).inputValue()).toBe('gpt-5-mini')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Now: gpt-5-mini@/).waitFor()
    await expectSound({ page, ...rest }, 'sentiment')
    await page.getByRole('button', { name: /^Rate older answers for < \$0\.01$/ }).click()
    await sendJob(api.db, 'judge', { projectId: project })
    await worker.idle()
    await page.reload()
    await page.getByText(/of \$5\.00 spent this month/).waitFor()
    expect(await page.getByRole('button', { name: /^Rate older answers/ }).count()).toBe(0)
  })
})
