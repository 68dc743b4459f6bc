import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { refusing, saying, useProviders } from '../kit/collecting/provider.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { ensureDashboard } from '../kit/web/dashboard.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'

const providers = await useProviders()
const api = useApi({ ALLOW_PRIVATE_HOSTS: providers.hosts }, undefined, { ownDatabase: true })
const browser = useBrowser()
let worker: TestWorker

beforeAll(async () => {
  await ensureDashboard()
  worker = await startTestWorker(api)
}, 300_000)

test.skipIf(lacksChromium)(
  'a key, a schedule with its cost and a first run are made in the browser',
  async () => {
    const workspace = await api.workspace()
    const project = await workspace.project({ domain: 'acme.com' })
    const { key } = await workspace.key({ scopes: ['admin'] })
    await asking(
      api,
      () => key,
    )(
      `mutation { addPrompts(projectId: "${project}", prompts: [{ text: "best anvils?" }]) { __typename } }`,
    )
    providers.always(saying('Acme is great.'))
    const { page } = await browser.open(`${api.url}/projects/${project}/data-collection#key=${key}`)
    const status = page.getByRole('listitem', { name: 'Status', exact: true })
    await status.getByText('No provider key yet').waitFor()
    await expect
      .poll(() => page.getByRole('button', { name: 'New schedule' }).isDisabled())
      .toBe(true)
    await page.getByRole('button', { name: 'Add a key' }).click()
    const form = page.getByRole('dialog', { name: 'Add a provider key' })
    await form.getByRole('combobox', { name: 'Provider' }).click()
    await page.getByRole('option', { name: 'Perplexity' }).click()
    await form.getByRole('button', { name: 'More settings' }).click()
    await form.getByLabel('Address of the API').fill(providers.baseUrl('perplexity'))
    await form.getByLabel('API key', { exact: true }).fill('sk-1234567890')
    providers.next(refusing(401))
    await form.getByRole('button', { name: 'Test and save' }).click()
    await form.getByText(/^Perplexity refused this key.*The key was not stored\./).waitFor()
    expect(await api.db.providerKey.count({ where: { workspaceId: workspace.id } })).toBe(0)
    await form.getByRole('button', { name: 'Test and save' }).click()
    await status.getByText('No schedule yet').waitFor()
    await page.getByRole('button', { name: 'New schedule' }).click()
    const schedule = page.getByRole('dialog', { name: 'New schedule' })
    await schedule.getByText(/^1 prompt: 1 answer per run, about \$/).waitFor()
    await schedule.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('button', { name: 'Run now: Daily' }).click()
    await worker.idle()
    await status.getByText('All well').waitFor()
    await status.getByText(/: 1 of 1 answer$/).waitFor()
  },
)

test.skipIf(lacksChromium)('a dropped file is recognised, shown and imported', async () => {
  const workspace = await api.workspace()
  const project = await workspace.project({ domain: 'acme.com' })
  const { key } = await workspace.key({ scopes: ['admin'] })
  const { page } = await browser.open(`${api.url}/projects/${project}/imports#key=${key}`)
  await page.getByLabel('File', { exact: true }).setInputFiles({
    name: 'prompts.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('prompt,topic\nWhich anvil lasts longest?,Anvils\n'),
  })
  const check = page.getByRole('region', { name: 'prompts.csv' })
  await check.getByRole('cell', { name: 'Which anvil lasts longest?' }).waitFor()
  await check.getByRole('button', { name: 'Import' }).click()
  await page.getByText('1 row read: 1 imported, 0 already there or not needed.').waitFor()
  await page.getByRole('link', { name: 'See the prompts' }).waitFor()
  expect(await api.db.prompt.count({ where: { projectId: project } })).toBe(1)
})
