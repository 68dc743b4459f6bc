import { importAnswers } from '../imports/answers/answers.ts'
import { previewReanalysis } from '../imports/answers/preview.ts'
import { reanalyze } from '../imports/answers/reanalyze.ts'
import { command } from '../warehouse/run.ts'
import { measureAnswers, startBenchService } from './service.ts'

/**
 * node bench/pages.ts [ANSWERS] [CITATIONS]
 *
 * Measures the reanalysis of answers, by default 50,000 with 10 citations each, whose pages older rules named. All
 * facts of such a project are written again. Memory is that of this process, which names the pages.
 */
const [answers, citations] = [Number(process.argv[2] ?? 50_000), Number(process.argv[3] ?? 10)]

const service = await startBenchService()
const { projectId, warehouse } = service

/** Addresses of 400 sites with 50 pages each, a half of them behind a redirect or with a tracking parameter. */
function addressOf(place: number): string {
  const page = `https://www.site${place % 400}.com/reviews/${(place * 7) % 50}`
  if (place % 4 === 0) return `https://www.google.com/url?q=${encodeURIComponent(page)}`
  return place % 4 === 1 ? `${page}?utm_source=chatgpt.com` : page
}

function* lines(): Generator<string> {
  const began = Date.now() - 86_400_000
  for (let i = 0; i < answers; i++) {
    yield JSON.stringify({
      platform: i % 2 ? 'chatgpt' : 'gemini',
      prompt: `Which headphones, number ${i % 200}?`,
      collectedAt: new Date(began - (i % 90) * 86_400_000).toISOString(),
      run: i,
      text: `Sony is excellent in test ${i}, while Bose costs more.`,
      citations: Array.from({ length: citations }, (_, k) => ({
        url: addressOf(i * 13 + k * 29),
        title: `Review ${k}`,
      })),
    })
  }
}

await measureAnswers('import', async () => {
  const { loaded } = await importAnswers(service, { projectId, lines: lines() })
  return { answers: loaded }
})
await command(warehouse, {
  id: 'bench.age',
  sql: `ALTER TABLE citations UPDATE pages_version = 1
    WHERE project_id = '${projectId}' SETTINGS mutations_sync = 2`,
  timeoutMs: 120_000,
})
await measureAnswers('preview', () => previewReanalysis(service, { projectId }))
await measureAnswers('reanalyze', () => reanalyze(service, { projectId }))
await service.stop()
