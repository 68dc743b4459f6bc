import { beforeAll, expect, inject, test } from 'vitest'
import { useApi } from '../../kit/api.ts'
import { runCli } from '../../kit/service.ts'
import { sized } from '../../kit/soak.ts'

/** Wrong uses of commands: 2 where the command line is wrong, 1 where what it names is not there. */

const api = useApi()
let [project, workspace] = ['', '']
let env: Record<string, string> = {}

beforeAll(async () => {
  const made = await api.workspace()
  workspace = made.id
  project = await made.project()
  env = {
    DATABASE_URL: api.databaseUrl,
    CLICKHOUSE_URL: inject('clickhouseUrl'),
    DATA_DIR: `${inject('runFolder')}/wrong-uses-cli`,
  }
})

const lost = 'There is no such record: check the id or the name.'
const noProject = 'There is no project "nobody". There are: '
const noWorkspace = 'There is no workspace "nobody". There are: '
const missing = (option: string) => `required option '${option}' not specified`
const ofProject = missing('--project <project>')

/** P and W stand for the ids of a project and a workspace. */
const uses: readonly (readonly [line: string, code: number, text: string])[] = [
  ['nonsense', 2, "unknown command 'nonsense'"],
  ['projct list', 2, "unknown command 'projct'\n(Did you mean project?)"],
  ['project', 2, 'Usage: sightline project'],
  ['project lst', 2, "unknown command 'lst'\n(Did you mean list?)"],
  ['project list --nonsense', 2, "unknown option '--nonsense'"],
  ['project create', 2, missing('--workspace <workspace>')],
  ['project create --workspace W', 2, missing('--name <name>')],
  ['project create --workspace W --name A', 2, missing('--domain <domain>')],
  [
    'project create --workspace W --name A --domian a.com',
    2,
    "unknown option '--domian'\n(Did you mean --domain?)",
  ],
  [
    'project create --workspace nobody --name A --domain a.com',
    1,
    'There is no workspace "nobody".',
  ],
  [
    'project create --workspace W --name A --domain nodomain',
    2,
    '`--domain` must be a domain, such as example.com; got `nodomain`.',
  ],
  [
    'project create --workspace W --name A --domain a.com --competitor Bolt',
    2,
    '`--competitor` must be a name and a domain, such as Bose:bose.com; got `Bolt`.',
  ],
  [
    'project create --workspace W --name A --domain a.com --kind other',
    2,
    '`--kind` must be one of regular, pitch; got `other`.',
  ],
  [
    'project create --workspace W --name A --domain a.com --competitor A:a.com',
    2,
    "`--competitor` has the project's own domain, `a.com`.",
  ],
  ['project show', 2, "missing required argument 'id'"],
  ['project show nobody', 1, noProject],
  ['project show P extra', 2, "too many arguments for 'show'. Expected 1 argument but got 2."],
  ['project rename P', 2, 'Give `--name`, `--domain` or both.'],
  ['project rename nobody --name B', 1, noProject],
  ['project delete P', 2, 'Nothing was deleted. A deletion is final: confirm it with `--yes`.'],
  ['project pause nobody', 1, noProject],
  ['workspace create', 2, missing('--name <name>')],
  ['workspace create --name', 2, "option '--name <name>' argument missing"],
  [
    'workspace create --name A --plan golden',
    2,
    '`--plan` must be one of free, starter, growth, enterprise; got `golden`.',
  ],
  [
    'workspace create --name A --owner-email nobody',
    2,
    '`--owner-email` must be an e-mail address; got `nobody`.',
  ],
  ['workspace show nobody', 1, noWorkspace],
  ['workspace rename W', 2, "missing required argument 'name'"],
  [
    'workspace set-plan W golden',
    2,
    '`plan` must be one of free, starter, growth, enterprise; got `golden`.',
  ],
  ['alias add --project P', 2, "missing required argument 'text'"],
  ['alias add x', 2, ofProject],
  ['alias list --project nobody', 1, noProject],
  ['alias remove --project P nothing', 1, lost],
  ['competitor add --project P Bolt', 2, missing('--name <name>')],
  ['competitor remove --project P nobody', 1, lost],
  ['topic add --project P', 2, "missing required argument 'name'"],
  ['topic rename --project P nobody Name', 1, lost],
  [
    'location add --project P Atlantis',
    2,
    '`place` must name a country, such as "Berlin, Germany"; got `Atlantis`.',
  ],
  ['prompt add --project P', 2, "missing required argument 'text'"],
  ['prompt archive --project P nothing', 1, lost],
  ['prompt list --all', 2, ofProject],
  ['key create', 2, missing('--workspace <workspace>')],
  [
    'key create --workspace W --scope golden',
    2,
    '`--scope` must be one of read, write, admin; got `golden`.',
  ],
  ['key create --workspace W --name', 2, "option '--name <name>' argument missing"],
  ['key revoke nobody', 1, 'There is no API key "nobody".'],
  ['key list --workspace nobody', 1, noWorkspace],
  ['report', 2, 'Usage: sightline report'],
  ['report nothing --project P', 2, "unknown command 'nothing'"],
  [
    'report domains --project P',
    2,
    "unknown command 'domains'\n(Did you mean one of source-domains, domain-urls, domain-authority, domains-to-win?)",
  ],
  [
    'report visibility --project P --from yesterday',
    2,
    '`--from` must be a day, such as 2026-11-01; got `yesterday`.',
  ],
  ['report visibility', 2, ofProject],
  ['report visibility --project P --days x', 2, '`--days` must be a whole number from 1; got `x`.'],
  ['report visibility --project P --days 0', 2, '`--days` must be a whole number from 1; got `0`.'],
  [
    'report visibility --project P --from 2025-05-01',
    2,
    '`--to` is required together with `--from`.',
  ],
  [
    'report visibility --project P --from 2025-05-02 --to 2025-05-01',
    2,
    '`--from` must not be after `--to`, `2025-05-01`; got `2025-05-02`.',
  ],
  [
    'report visibility --project P --country Atlantis',
    2,
    '`--country` must be an ISO 3166-1 code or the name of a country; got `Atlantis`.',
  ],
  ['report visibility --project P --csv rows', 2, 'The report has no list `rows`. Its lists are '],
  ['report source-domains --project P --csv --json', 2, 'Give `--csv` or `--json`, not both.'],
  ['report competitor --project P', 2, "missing required argument 'competitorId'"],
  ['report competitor nobody --project P', 1, lost],
  ['report answer nobody --project P', 1, lost],
  [
    'report create --project P --type nothing',
    2,
    '`--type` must be one of visibility, sentiment, combined; got `nothing`.',
  ],
  ['reports share --project P nobody', 1, lost],
  ['opportunities dismiss --project P nobody', 2, missing('--reason <text>')],
  ['opportunities complete --project P nobody', 1, lost],
  ['import', 2, 'Usage: sightline import'],
  ['import answers', 2, ofProject],
  ['import answers missing.jsonl', 2, ofProject],
  [
    'import answers missing.jsonl --project P',
    1,
    'missing.jsonl cannot be read: it does not exist',
  ],
  ['import prompts --project P', 2, "missing required argument 'file'"],
  [
    'import access-log missing.log --project P --format golden',
    2,
    "option '--format <format>' argument 'golden' is invalid. Allowed choices are combined, cloudflare, cloudfront, caddy, alb, fastly, iis.",
  ],
  ['recount', 2, ofProject],
  ['reanalyze --project nobody', 1, '`reanalyze` is now `recount`.'],
  ['recount --project nobody', 1, noProject],
  ['activity --project nobody', 1, noProject],
  ['site audit --project nobody', 1, noProject],
  [
    'completion tcsh',
    2,
    "command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are zsh, bash, fish, powershell.",
  ],
  ['disconnect search-console', 2, ofProject],
]

/** Each command has its own line, and all share the words: the normal run tries some. */
const tried = uses.filter((_, at) => at % sized({ normal: 8, soak: 1 }) === 0)

test.each(tried)('%s', async (line, code, text) => {
  const ids: Record<string, string> = { P: project, W: workspace }
  const asked = await runCli(
    line.split(' ').map((word) => ids[word] ?? word),
    { env },
  )
  const said = `${asked.stderr}${asked.stdout}`
  expect([asked.code, said.replaceAll(project, 'P').replaceAll(workspace, 'W')]).toEqual([
    code,
    expect.stringContaining(text),
  ])
  // Nothing of keys, libraries or traces, and of details only where they are shown.
  expect(said).not.toMatch(/this key|ENOENT|Invalid|`details`|\n +at /)
})
