import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { runCli } from '../../kit/service.ts'

/** What the shell is offered, without descriptions. */
async function offered(...words: string[]): Promise<string[]> {
  const { stdout } = await runCli(['complete', '--', ...words])
  return stdout
    .split('\n')
    .flatMap((line) => (line.includes('\t') ? [line.split('\t')[0] ?? ''] : []))
}

test('commands, reports and their filters are completed', async () => {
  expect(await offered('repo')).toEqual(['report'])
  expect(await offered('prompt', 'a')).toEqual(['add', 'archive'])
  expect(await offered('report', 'visibility-by')).toEqual([
    'visibility-by-topic',
    'visibility-by-prompt',
    'visibility-by-location',
    'visibility-by-platform',
  ])
  expect(await offered('report', 'visibility', '--t')).toEqual(['--to', '--topic-id'])
})

test('each shell gets its script, and bash can read its own', async () => {
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const { stdout, code } = await runCli(['completion', shell])
    expect([code, stdout]).toEqual([0, expect.stringContaining('sightline')])
    if (shell !== 'bash') continue
    expect(spawnSync('bash', ['-n'], { input: stdout, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    })
  }
  expect((await runCli(['completion', 'tcsh'])).code).toBe(2)
})
