import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { proofSchema } from '../core/proof/format.ts'
import { verdictText, verifyProof } from '../core/proof/verify.ts'
import { foreignWords } from '../core/text/languages/foreign-words.ts'
import { makeReport } from '../worker/report.ts'
import { type TestWorkspace, useApi } from './kit/api.ts'
import { asking } from './kit/changes.ts'

const api = useApi()
const words = await foreignWords()
let workspace: TestWorkspace
let project = ''
let key = ''

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['admin'] })).key
  project = await workspace.project({
    competitors: [{ name: 'Rival', domain: 'rival.test' }],
  })
  // Acme in three of five answers, Rival in two, in one of them before Acme.
  const texts = ['Acme is great.', 'Rival is best.', 'Rival, then Acme.', 'Neither.', 'Try Acme.']
  await workspace.load(
    project,
    texts.map((text, i) => ({ text, collectedAt: `2025-05-${10 + i}T12:00:00Z` })),
  )
})

const graph = asking(api, () => key)
const may = '{ from: "2025-05-01", to: "2025-05-31" }'
const recounted = `Recounted from 5 answers, equal:
Visibility: 3 of 5, 60 %
Share of voice: 3 of 5, 60 %
Average position: 4 of 3, 1.33`
const read = (file: string) => proofSchema.parse(JSON.parse(file))

async function proofOf(args = ''): Promise<Record<string, unknown> | null> {
  const { data, errors } = await graph(`{ project(id: "${project}") {
    proof(window: ${may}${args}) {
    file claims { metric value numerator denominator } publicKey } } }`)
  expect(errors).toBeUndefined()
  return data.project?.proof as Record<string, unknown> | null
}

test('the graph gives a proof of three numbers, which is counted again from its file alone', async () => {
  const found = await proofOf()
  expect(found?.claims).toEqual([
    { metric: 'visibility', value: 60, numerator: 3, denominator: 5 },
    { metric: 'share_of_voice', value: 60, numerator: 3, denominator: 5 },
    { metric: 'average_position', value: 1.33, numerator: 4, denominator: 3 },
  ])
  const whole = read(String(found?.file))
  expect(whole.signature.publicKey).toBe(found?.publicKey)
  expect(verdictText(verifyProof(whole, words))).toBe(recounted)
  const bare = read(String((await proofOf(', texts: false'))?.file))
  expect(verdictText(verifyProof(bare, words))).toMatch(/\n5 texts were left out/)
  const filtered = read(String((await proofOf(', filter: { platforms: ["gemini"] }'))?.file))
  expect(filtered.claims[0]).toMatchObject({ numerator: 0, denominator: 0, value: null })
})

test('a shared report carries a sentence and its proof, without texts where the owner leaves them out', async () => {
  const call = async (name: string, args: string) => {
    const { data } = await graph(`mutation { ${name}(projectId: "${project}", ${args}) {
      ... on ReportChange { report { id shareUrl proofUrl proofTexts } } } }`)
    return (data[name] as { report: { id: string; shareUrl: string; proofUrl: string } }).report
  }
  const { id } = await call('createReport', `reportType: visibility, window: ${may}, share: true`)
  await makeReport(api, id)
  const shared = await call('shareReport', `reportId: "${id}"`)
  expect(shared.proofUrl).toBe(`${shared.shareUrl}/proof.json`)
  const at = (url: string) => fetch(api.url + new URL(url).pathname)
  const page = await (await at(shared.shareUrl)).text()
  const link = new URL(shared.proofUrl).pathname.replace('/share/', '')
  expect(page).toContain(`href="${link}"`)
  const proof = read(await (await at(shared.proofUrl)).text())
  expect(verdictText(verifyProof(proof, words))).toBe(recounted)
  await call('shareReport', `reportId: "${id}", proofTexts: false`)
  const bare = read(await (await at(shared.proofUrl)).text())
  expect(bare.answers.every(({ text }) => text === undefined)).toBe(true)
  expect(verifyProof(bare, words).isValid).toBe(true)
  expect(await (await at(shared.shareUrl)).text()).toContain('the hash of each answer')
  await call('shareReport', `reportId: "${id}", password: "of the client"`)
  expect((await at(shared.proofUrl)).status).toBe(401)
  await call('revokeReportShare', `reportId: "${id}"`)
  expect((await at(shared.proofUrl)).status).toBe(404)
})

test('there is no proof while the answers were counted by other names', async () => {
  await graph(`mutation { addBrandAlias(projectId: "${project}", text: "Neither") { changed } }`)
  expect(await proofOf()).toBeNull()
})

test('the JSON Schema in the documents is that of the format', async () => {
  const file = await readFile(new URL('../docs/proof.schema.json', import.meta.url), 'utf8')
  expect(JSON.parse(file)).toEqual(z.toJSONSchema(proofSchema))
})
