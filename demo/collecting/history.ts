import { endingOf } from '../../core/collecting/providers/ending.ts'
import { adapterVersion } from '../../core/collecting/providers/read.ts'
import { surfacePlatforms } from '../../core/collecting/providers/surfaces/names.ts'
import { keepTask } from '../../core/collecting/providers/surfaces/services.ts'
import { idOf } from '../../core/ids.ts'
import { importCollected, replyOf } from '../../imports/collecting/import.ts'
import { keepRaw, type RawAnswer } from '../../imports/collecting/raw.ts'
import type { ImportStores } from '../../imports/loads/runner.ts'
import { noteShown } from '../../resolvers/collecting/asks.ts'
import { inventReply, replyTo } from './replies.ts'
import { type Assistant, askedTopics, assistants } from './world.ts'

const dayMs = 86_400_000
/** Whole days before the first one of the demonstration's schedule. */
const days = [9, 8, 7, 6, 5, 4, 3] as const
const repetitions = 2
const hour = 12
/** US dollars: seven credits at a tenth of a cent. */
const surfaceCost = 0.007

interface Way {
  readonly label: string
  readonly provider: RawAnswer['provider']
  readonly platform: string
  readonly model: string
  readonly cost: number
  bodyOf(prompt: string, runId: string, time: number, askedAt: Date): string
}

/** The body that Cloro would send for the page of an assistant, which names fewer brands than its API. */
function pageOf(assistant: Assistant): Way {
  const label = `${assistant.label}-page`
  return {
    label,
    provider: 'cloro',
    platform: surfacePlatforms.chatgpt,
    model: 'chatgpt',
    cost: surfaceCost,
    bodyOf(prompt, runId, time, askedAt) {
      const { text, pages } = inventReply({ ...assistant, label }, { prompt, runId, time, askedAt })
      const body = {
        task: {
          id: idOf(runId, prompt, time),
          status: 'COMPLETED',
          createdAt: askedAt.toISOString(),
        },
        credits: { creditsCharged: 7 },
        response: {
          text,
          markdown: text,
          // Nobody must take an invented answer for one of a model.
          model: 'invented',
          sources: pages.map(({ url, title }) => ({ url, label: title })),
        },
      }
      return keepTask('cloro', { surface: 'chatgpt', prompt }, JSON.stringify(body))
    },
  }
}

const apiOf = (assistant: Assistant): Way => ({
  label: assistant.label,
  provider: assistant.provider,
  platform: assistant.by.platform,
  model: assistant.model,
  cost: assistant.cost,
  bodyOf: (prompt, runId, time, askedAt) =>
    JSON.stringify(replyTo(assistant, { prompt, runId, time, askedAt })),
})

/** The questions of a run, with their bodies. */
function questionsOf(
  projectId: string,
  runId: string,
  askedAt: Date,
  promptIds: ReadonlyMap<string, string>,
) {
  const [assistant] = assistants
  const ways = assistant ? [pageOf(assistant), apiOf(assistant)] : []
  const prompts = askedTopics.flatMap((topic) => topic.prompts)
  return ways.flatMap(({ label, provider, platform, model, cost, bodyOf }) =>
    prompts.flatMap((prompt) =>
      Array.from({ length: repetitions }, (_, at) => {
        const repetition = at + 1
        const id = idOf(runId, label, prompt, repetition)
        const body = bodyOf(prompt, runId, repetition, askedAt)
        const raw: RawAnswer = {
          ...{
            projectId,
            runId,
            askId: id,
            askedAt,
            prompt,
            provider,
            platform,
            model,
            repetition,
          },
          ...{ place: null, adapterVersion, body, redirects: {} },
        }
        const reply = replyOf(raw)
        const { reason = null, ...end } = reply ? endingOf(reply) : ({ state: 'failed' } as const)
        const promptId = promptIds.get(prompt) ?? runId
        // The key of then is gone.
        const providerKeyId = idOf(projectId, label)
        const asked = { provider, platform, model, repetition, askedAt, endedAt: askedAt, cost }
        return {
          raw,
          ask: { id, runId, promptId, prompt, providerKeyId, reason, ...end, ...asked },
        }
      }),
    ),
  )
}

/**
 * Gives the second project of the demonstration a week in which ChatGPT was asked as people see it, and by API. A second
 * call changes nothing.
 */
export async function loadPastRuns(
  stores: ImportStores,
  projectId: string,
  endDay: string,
): Promise<void> {
  const { db, warehouse } = stores
  const prompts = await db.prompt.findMany({ where: { projectId } })
  const promptIds = new Map(prompts.map(({ id, text }) => [text, id]))
  for (const ago of days) {
    const askedAt = new Date(Date.parse(endDay) - ago * dayMs + hour * 3_600_000)
    const runId = idOf(projectId, 'run', ago)
    const found = questionsOf(projectId, runId, askedAt, promptIds)
    const times = {
      createdAt: askedAt,
      startedAt: askedAt,
      completedAt: askedAt,
      deadlineAt: askedAt,
    }
    const run = { id: runId, projectId, status: 'completed' as const, repetitions, ...times }
    await db.run.createMany({ data: [run], skipDuplicates: true })
    await db.ask.createMany({ data: found.map(({ ask }) => ask), skipDuplicates: true })
    await Promise.all(found.map(({ raw }) => keepRaw(warehouse, raw)))
    await noteShown(db, await importCollected(stores, { projectId, runId }))
  }
}
