import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Works for a while, then waits for two intervals. Prints the size of its young space before and after. */
const program = `
import { getHeapSpaceStatistics } from 'node:v8'
import { setTimeout as sleep } from 'node:timers/promises'
import { giveBackIdleMemory } from './cli/service/memory/idle.ts'
const young = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size
giveBackIdleMemory(200)
const kept = []
for (let i = 0; i < 2_000_000; i++) kept[i % 300_000] = { i, text: 'x' + i }
const before = young()
await sleep(2000)
for (let waits = 0; young() > before / 2 && waits < 100; waits++) await sleep(100)
process.stdout.write(JSON.stringify({ before, after: young(), kept: kept.length }))
`

test('an idle process gives back the space of its young objects, and keeps what it needs', async () => {
  const args = ['--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const { before, after, kept } = JSON.parse(stdout)
  expect(after).toBeLessThan(before / 2)
  expect(kept).toBe(300_000)
})
