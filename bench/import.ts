import { readFileSync } from 'node:fs'
import { demoLines } from '../demo/answers.ts'
import { importAnswers } from '../imports/answers/answers.ts'
import { reanalyze } from '../imports/answers/reanalyze.ts'
import { measureAnswers, startBenchService } from './service.ts'

/**
 * node bench/import.ts [ANSWERS] [FILE.jsonl]
 *
 * Measures the import of answers, by default 50,000 of the demonstration, and their reanalysis.
 * The memory is that of this process, which counts names and tones: the most of it, less that of the start.
 * Compare two versions by runs in turn on one machine.
 */
const [count = '50000', file] = process.argv.slice(2)
const texts = file
  ? readFileSync(file, 'utf8').trim().split('\n')
  : [...demoLines({ seed: 1, endDay: new Date().toISOString().slice(0, 10) })]
const answers = texts.map((text) => JSON.parse(text) as object)

function* lines(): Generator<string> {
  for (let i = 0; i < Number(count); i++) {
    const run = 100 + Math.floor(i / answers.length)
    yield JSON.stringify({ ...answers[i % answers.length], run })
  }
}

const service = await startBenchService()
const { db, projectId } = service
for (const name of ['Bose', 'Sennheiser', 'Apple', 'JBL', 'Target', 'Samsung']) {
  await db.competitor.create({ data: { projectId, name, domain: `${name.toLowerCase()}.com` } })
}

await measureAnswers('import', async () => {
  const { loaded } = await importAnswers(service, { projectId, lines: lines() })
  return { answers: loaded }
})
await measureAnswers('reanalyze', () => reanalyze(service, { projectId }))
await service.stop()
