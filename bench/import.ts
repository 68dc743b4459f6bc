import { randomUUID } from 'node:crypto'
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { demoLines } from '../demo/answers.ts'
import { openAnalysis } from '../imports/answers/analysis.ts'
import { analyse } from '../imports/answers/analysis-thread.ts'
import { importAnswersFile } from '../imports/answers/answers.ts'
import { nilUuid, readBrands } from '../imports/answers/catalog.ts'
import { writeRows } from '../imports/answers/facts.ts'
import { type AnswerLine, parseAnswerLine } from '../imports/answers/line.ts'
import { reanalyze } from '../imports/answers/reanalyze.ts'
import { addAnswers, identify } from '../imports/answers/rows.ts'
import { InsertBatches } from '../imports/loads/insert-batches.ts'
import { beginLoad } from '../imports/loads/loads.ts'
import { createProject } from '../resolvers/projects/create.ts'
import { measureAnswers, startBenchService } from './service.ts'

/**
 * node bench/import.ts [ANSWERS] [FILE.jsonl]
 *
 * Measures the import of answers from a file, by default 100,000 of the demonstration, and their reanalysis. Then the
 * floors, of half as many: `JSON.parse` of the lines, our reading of the lines, the analysis in one thread. The last
 * floor writes the same rows to the warehouse.
 * The memory is that of this process, which counts names and tones: the most of it, less that of the start.
 * Compare two versions by runs in turn on one machine.
 */
const [count = '100000', file] = process.argv.slice(2)
const texts = file
  ? readFileSync(file, 'utf8').trim().split('\n')
  : [...demoLines({ seed: 1, endDay: new Date().toISOString().slice(0, 10) })]
const answers = texts.map((text) => JSON.parse(text) as object)
const lineOf = (i: number) => {
  const run = 100 + Math.floor(i / answers.length)
  return JSON.stringify({ ...answers[i % answers.length], run })
}
const numbers = Array.from({ length: Number(count) }, (_, i) => i)
const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
const path = join(folder, 'answers.jsonl')
await writeFile(
  path,
  Readable.from(numbers).map((i: number) => `${lineOf(i)}\n`),
)

/** As many as one write of an import has at most. */
const batchSize = 32_000

const service = await startBenchService()
const { db, warehouse, projectId } = service
const names = ['Bose', 'Sennheiser', 'Apple', 'JBL', 'Target', 'Samsung']
for (const name of names) {
  await db.competitor.create({ data: { projectId, name, domain: `${name.toLowerCase()}.com` } })
}

await measureAnswers('import', async () => {
  const bytes = createReadStream(path)
  const { loaded } = await importAnswersFile(service, { projectId, bytes })
  return { answers: loaded }
})
rmSync(folder, { recursive: true })
await measureAnswers('reanalyze', () => reanalyze(service, { projectId }))

const lines = numbers.slice(0, numbers.length / 2).map(lineOf)
await measureAnswers('JSON.parse', async () => {
  for (const line of lines) JSON.parse(line)
  return { answers: lines.length }
})
const read: AnswerLine[] = []
await measureAnswers('reading', async () => {
  for (const [at, line] of lines.entries()) {
    const found = parseAnswerLine(line, at + 1)
    if (found && !('reason' in found)) read.push(found)
  }
  return { answers: read.length }
})
const brands = await readBrands(db, projectId)
await measureAnswers('analysis', async () => {
  await analyse({ brandsId: randomUUID(), brands, answers: read, withTone: true })
  return { answers: read.length }
})
const { workspaceId } = await db.project.findUniqueOrThrow({ where: { id: projectId } })
const other = await createProject(db, { workspaceId, name: 'Other', domain: 'other.com' }, 'bench')
const load = await beginLoad(db, warehouse, other.id)
const batches: InsertBatches[] = []
for (let at = 0; at < read.length; at += batchSize) {
  const ids = { promptId: randomUUID(), locationId: nilUuid, formerPromptIds: [], wasTracked: true }
  const identified = read.slice(at, at + batchSize).map((line) => identify(other.id, line, ids))
  const rows = new InsertBatches()
  await addAnswers(rows, identified, load, openAnalysis(brands))
  batches.push(rows)
}
await measureAnswers('rows alone', async () => {
  for (const [at, batch] of batches.entries()) await writeRows(warehouse, load, at + 1, batch)
  return { answers: read.length }
})
await service.stop()
