import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { applyFile } from '../../cli/apply/apply.ts'
import type { Change } from '../../cli/apply/changes.ts'
import { readProjectFile } from '../../cli/apply/file.ts'
import { writeProjectFile } from '../../cli/apply/write.ts'
import { addPrompts } from '../../resolvers/prompts/add.ts'
import { setPromptTracking } from '../../resolvers/prompts/change.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { projectOfJob } from '../../resolvers/shared/job-scope.ts'
import { addTopic } from '../../resolvers/topics/topics.ts'
import { useApi } from '../kit/api.ts'

const api = useApi()
const workspace = `Files ${Date.now()}`
let folder = ''
let example = ''

/** The example of the page, for a workspace of this test. */
beforeAll(async () => {
  folder = await mkdtemp(join(inject('runFolder'), 'project-files-'))
  const page = await readFile(new URL('../../docs/project-files.md', import.meta.url), 'utf8')
  const [, yaml = ''] = /```yaml\n([\s\S]+?)```/.exec(page) ?? []
  example = yaml.replace('- name: Acme', `- name: ${workspace}`)
  process.env.SLACK_URL = 'https://hooks.slack.com/services/T1/B1/secret-abcd'
})
afterAll(() => {
  delete process.env.SLACK_URL
})

async function fileOf(text: string): Promise<string> {
  const path = join(folder, 'acme.yaml')
  await writeFile(path, text)
  return path
}

async function run(path: string, isPlan: boolean, accept?: (changes: readonly Change[]) => void) {
  const file = await readProjectFile(path)
  const options = { isPlan, ...(accept && { accept }) }
  const { changes } = await applyFile(api, api.db, api.secrets, file, options)
  return changes.map(({ action, what }) => `${action} ${what}`)
}
const plan = async (text: string) => run(await fileOf(text), true)
const apply = async (text: string) => run(await fileOf(text), false)

const projectOf = () =>
  api.db.project.findFirstOrThrow({ where: { workspace: { name: workspace } } })

test('the example of the page is planned without a trace, applied, and then there is nothing to change', async () => {
  const planned = await plan(example)
  expect(planned).toHaveLength(17)
  expect(await api.db.workspace.count({ where: { name: workspace } })).toBe(0)
  expect(await apply(example)).toEqual(planned)
  const { id } = await projectOf()
  expect(await api.db.prompt.count({ where: { projectId: id, isTracked: true } })).toBe(2)
  expect(await api.db.digest.count({ where: { projectId: id } })).toBe(1)
  expect(await plan(example)).toEqual([])
  expect(await apply(example)).toEqual([])
})

test('an exported file asks for no change, keeps secrets out, and its schema takes it', async () => {
  const { id, workspaceId } = await projectOf()
  const path = join(folder, 'exported.yaml')
  const [, schema = ''] = await writeProjectFile(api.db, { workspaceId }, path)
  const text = await readFile(path, 'utf8')
  expect(await run(path, true)).toEqual([])
  expect(text).not.toContain('hooks.slack.com')
  expect(text).toContain('addressFrom: MARKETING_URL')
  const valid = new Ajv2020({ strict: false }).compile(JSON.parse(await readFile(schema, 'utf8')))
  expect([valid(parse(text)), valid.errors]).toEqual([true, null])
  expect(valid({ workspaces: [{ name: 'A', plans: 'free' }] })).toBe(false)
  await writeProjectFile(api.db, { workspaceId, projectId: id }, path)
  expect(parse(await readFile(path, 'utf8')).workspaces[0].channels).toBeUndefined()
  expect(await run(path, true)).toEqual([])
})

test('a change by hand appears in the plan, and apply takes it back after its removals are accepted', async () => {
  const found = await projectOf()
  const project = await projectOfJob(api.db, found.id)
  if (!project) throw new Error('There is no project')
  const scope = { db: api.db, project }
  await addTopic(api.db, commandLine, project.id, { name: 'By hand' })
  await addPrompts(scope, commandLine, [{ text: 'Who sells rockets?' }])
  const asked = await api.db.prompt.findFirstOrThrow({
    where: { text: 'Which anvil is best?', projectId: project.id },
  })
  await setPromptTracking(scope, commandLine, asked.id, { action: 'archive' })
  const byHand = [
    'change prompt "Who sells rockets?"',
    'add prompt "Which anvil is best?"',
    'remove topic "By hand"',
  ]
  expect(await plan(example)).toEqual(byHand)
  const refused = run(await fileOf(example), false, () => {
    throw new Error('not accepted')
  })
  await expect(refused).rejects.toThrow('not accepted')
  expect(await plan(example)).toEqual(byHand)
  expect(await apply(example)).toEqual(byHand)
  expect(await plan(example)).toEqual([])
  // Tracked again, and not a second one with its answers elsewhere.
  expect(await api.db.prompt.count({ where: { projectId: project.id } })).toBe(3)
})

test('each field that differs is changed, by the names of the file', async () => {
  const changed = example
    .replace('domain: globex.com', 'domain: globex.example')
    .replace('0 6 * * 1-5', '0 7 * * 1-5')
    .replace(
      'topics: [Anvils]\n            locations: ["Berlin, Germany"]',
      'prompts: [which anvil is BEST]',
    )
    .replace('intent: commercial', 'branded: false')
    .replace('enabled: false', 'enabled: true')
    .replace('[alarm_opened, run_failed]', '[alarm_opened]')
    .replace('caseSensitive: true', 'caseSensitive: false')
    .replace('ownDomains: [acme.de]', 'ownDomains: []')
    .replace('        monitors:', '        status: paused\n        monitors:')
  const file = await readProjectFile(await fileOf(changed))
  const { changes } = await applyFile(api, api.db, api.secrets, file, { isPlan: false })
  const fields = changes.map(({ what, fields }) => [what, ...fields.map(({ name }) => name)])
  expect(fields).toEqual([
    ['project "Acme"', 'status'],
    ['alias "ACM"', 'caseSensitive'],
    ['competitor "Globex"', 'domain'],
    ['domain "acme.de"'],
    ['prompt "Is Acme better than Globex?"', 'branded'],
    ['schedule "Workdays"', 'cron', 'prompts'],
    ['monitor "sentiment_fell"', 'enabled'],
    ['channel "Marketing"', 'events'],
  ])
  expect(await plan(changed)).toEqual([])
  expect(await apply(example.replace('0 6', '0 7'))).toHaveLength(5)
})

test('a webhook at another address is a new channel, whose secret is shown once', async () => {
  const hook = (variable: string) =>
    example.replace('kind: slack', 'kind: webhook').replace('SLACK_URL', variable)
  process.env.HOOK_URL = 'https://hooks.example.com/first'
  const file = await readProjectFile(await fileOf(hook('HOOK_URL')))
  const { secrets } = await applyFile(api, api.db, api.secrets, file, { isPlan: false })
  expect(secrets).toEqual([{ channel: 'Marketing', secret: expect.stringMatching(/^whsec_/) }])
  process.env.HOOK_URL = 'https://hooks.example.com/other'
  const moved = [
    'remove channel "Marketing"',
    'add channel "Marketing"',
    'add digest "Acme" to "Marketing"',
  ]
  expect((await plan(hook('HOOK_URL'))).filter((change) => !change.includes('schedule'))).toEqual(
    moved,
  )
  delete process.env.HOOK_URL
  expect((await plan(hook('HOOK_URL'))).filter((change) => !change.includes('schedule'))).toEqual(
    [],
  )
})

const below = `workspaces:\n  - name: Wrong ${workspace}\n    projects:\n      - name: Acme\n`

test.each([
  ['workspaces: [\n', '2: not valid YAML'],
  ['workspaces: []\nprojects: []\n', '2: `projects` is not a field of a project file.'],
  [
    `${below}        domain: acme\n`,
    '5: `workspaces[0].projects[0].domain` must be a domain, such as example.com; got `acme`.',
  ],
  [`${below}`, '4: `workspaces[0].projects[0].domain` is required.'],
  [
    `${below}        domain: acme.com\n        prompts:\n          - text: Best?\n            topics: [None]\n`,
    '8: `workspaces[0].projects[0].prompts[0].topics[0]` names no topic of the project.',
  ],
  [
    `${below}        domain: acme.com\n        prompts: [Best?, best]\n`,
    '6: `workspaces[0].projects[0].prompts[1]` is in the list twice: `best`.',
  ],
  [
    `${below}        domain: acme.com\n        competitors: [{ name: Own, domain: acme.com }]\n`,
    "6: `workspaces[0].projects[0].competitors[0].domain` must not be the project's own domain; got `acme.com`.",
  ],
  [
    `${below}        domain: acme.com\n    channels:\n      - { name: Team, kind: slack, addressFrom: NO_SUCH }\n`,
    '7: `workspaces[0].channels[0].addressFrom` names NO_SUCH, which is not set in the environment.',
  ],
  [
    `${below}        domain: acme.com\n    channels:\n      - { name: Team, kind: slack, address: team@acme.com }\n`,
    '7: `workspaces[0].channels[0].address` is a secret',
  ],
])(
  'a wrong file is refused with its line and field, and changes nothing: %j',
  async (text, message) => {
    await expect(apply(text)).rejects.toThrow(`acme.yaml:${message}`)
    expect(await api.db.workspace.count({ where: { name: `Wrong ${workspace}` } })).toBe(0)
  },
)
