import { faultText } from '../../core/collecting/providers/fault-text.ts'
import { providerNames } from '../../core/collecting/providers/names.ts'
import type { Place } from '../../core/collecting/providers/place.ts'
import { adapterVersion } from '../../core/collecting/providers/read.ts'
import { isSurfaceName, type SurfaceName } from '../../core/collecting/providers/surfaces/names.ts'
import { services } from '../../core/collecting/providers/surfaces/services.ts'
import { AskFault, type ProviderAnswer } from '../../imports/collecting/ask.ts'
import { keepRaw } from '../../imports/collecting/raw.ts'
import type { Looked, ServiceAccess, TaskAsker } from '../../imports/collecting/tasks.ts'
import type { Ask, Run } from '../../prisma/generated/client.ts'
import type { AskEnd } from '../../resolvers/collecting/asks.ts'
import { noteRefused, noteWorking } from '../../resolvers/collecting/provider-keys.ts'
import {
  addTask,
  countOpenTasks,
  dropTask,
  dueTasks,
  endTask,
  noteTask,
  type OpenTask,
  type TaskGroup,
  unsubmittedAsks,
} from '../../resolvers/collecting/tasks.ts'
import type { Work } from '../job.ts'
import type { Book } from './book.ts'
import { capReached, endOf, failAll } from './questions.ts'

/** How tasks are looked at. Times are in milliseconds. */
export interface TaskTerms {
  /** Requests at once, of a key at a surface. */
  readonly atOnce: number
  /** Open tasks of a key at a surface. More wait here, and not in the queue of the service. */
  readonly mostOpen: number
  /** Between two looks at first. It grows by half with each look. */
  readonly lookMs: number
  readonly mostLookMs: number
  /** Between two looks at a task that waits in the queue of its service, at most. */
  readonly mostQueuedLookMs: number
  /** A task that has not begun after this time is given up. */
  readonly queuedMs: number
  /** A task that has not ended after this time since it began is given up. */
  readonly runningMs: number
  /** The pause of submissions after a service limited them. */
  readonly limitedMs: number
}

const minuteMs = 60_000

export const taskTerms: TaskTerms = {
  atOnce: 4,
  mostOpen: 1000,
  lookMs: 5000,
  mostLookMs: minuteMs,
  mostQueuedLookMs: 5 * minuteMs,
  queuedMs: 24 * 60 * minuteMs,
  runningMs: 60 * minuteMs,
  limitedMs: 30_000,
}

export interface TaskWork {
  readonly run: Run
  readonly group: TaskGroup
  readonly asker: TaskAsker
  readonly access: ServiceAccess
  readonly book: Book
  /** US dollars that a task is expected to cost; null where the plan has no stated price. */
  readonly price: number | null
  readonly terms: TaskTerms
  /** Ends the requests under way. */
  readonly signal: AbortSignal
  /** Begins no further request. */
  readonly stopping: AbortSignal
}

/** What one step leaves for the next one. */
interface Left {
  /** When questions that have no task yet may be sent; null without such questions. */
  readonly submitAt: Date | null
}

const inMs = (ms: number) => new Date(Date.now() + ms)

/** Does work on each item, some at a time. The first error ends it. */
async function each<Item>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const queue = items[Symbol.iterator]() as IterableIterator<Item>
  const lane = async () => {
    for (const item of queue) await work(item)
  }
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, lane))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

const surfaceOf = (model: string): SurfaceName => {
  if (isSurfaceName(model)) return model
  throw new Error(`${model} is no surface.`)
}

/** Stores the answer of a task before it counts: a kill between the two loses nothing. */
async function store(work: Work, ask: Ask, answer: ProviderAnswer, of: TaskWork): Promise<void> {
  const { run, book } = of
  const askedAt = ask.askedAt ?? new Date()
  await keepRaw(work.warehouse, {
    projectId: run.projectId,
    runId: run.id,
    askId: ask.id,
    askedAt,
    prompt: ask.prompt,
    provider: ask.provider,
    platform: ask.platform,
    model: ask.model,
    repetition: ask.repetition,
    place: ask.place as Place | null,
    adapterVersion,
    body: answer.raw,
    redirects: answer.redirects,
  })
  await book.end({ askId: ask.id, ...(await endOf(ask, answer.reply, askedAt)) })
}

/** Why a service that took a question gives no answer. What it may have billed counts. */
const lost = (reason: string, price: number | null): AskEnd => ({
  state: 'failed',
  outcome: 'failed',
  reason,
  cost: price,
})

const failed = (reason: string): AskEnd => ({ state: 'failed', reason })

/** Whether the service never saw the request, or says that it took nothing. */
function tookNothing({ status, failure }: AskFault): boolean {
  if (failure !== null)
    return failure === 'dns' || failure === 'certificate' || failure === 'refused'
  return status !== null && status < 500 && status !== 408
}

/** What comes of a submission: nothing, a pause of all submissions, or the end of the key. */
type Sent = 'sent' | 'pause' | AskFault

/** Sends a task. Its row is there before, and its id at the service is stored before anything else is done. */
async function send(work: Work, ask: Ask, taskId: string, of: TaskWork): Promise<Sent> {
  const { run, asker, access, book, price, terms, signal } = of
  const { db } = work
  const service = services[access.provider]
  const name = providerNames[access.provider]
  const question = {
    id: taskId,
    surface: surfaceOf(ask.model),
    prompt: ask.prompt,
    place: ask.place as Place | null,
    language: run.language,
  }
  try {
    const sent = await asker.submit(access, question, signal)
    if ('taskId' in sent) {
      const { taskId: theirs } = sent
      const nextLookAt = inMs(terms.lookMs)
      await noteTask(db, taskId, { taskId: theirs, state: 'queued', nextLookAt })
    } else {
      await store(work, ask, sent, of)
      await endTask(db, taskId, 'done')
    }
    return 'sent'
  } catch (error) {
    if (!(error instanceof AskFault)) throw error
    const end = async (how: AskEnd) => {
      await book.end({ askId: ask.id, ...how })
      await endTask(db, taskId, 'failed')
    }
    if (service.knowsIds && error.status === 409) {
      // The task is there, and the reply that had its id was lost.
      await end(lost(`${name} has the question, and its reply with the id was lost.`, price))
      return 'sent'
    }
    if (error.endsKey || error.kind === 'address') {
      await dropTask(db, taskId)
      await book.end({ askId: ask.id, ...failed(error.message) })
      return error
    }
    if (!error.mayPass) {
      await end(failed(error.message))
      return 'sent'
    }
    if (tookNothing(error)) {
      await dropTask(db, taskId)
      await book.end({ askId: ask.id, state: 'waiting' })
      return 'pause'
    }
    if (service.knowsIds) {
      // Sent again with the same id, it is one task.
      await noteTask(db, taskId, { nextLookAt: inMs(error.retryAfterMs ?? terms.limitedMs) })
      return 'pause'
    }
    await end(lost(`It is not known whether ${name} took the question. ${error.message}`, price))
    return 'sent'
  }
}

/** Sends questions that have no task yet, as many as there is room for. */
async function submitSome(work: Work, of: TaskWork): Promise<Left & { readonly end?: AskFault }> {
  const { db } = work
  const { run, group, book, price, terms, stopping } = of
  const room = terms.mostOpen - (await countOpenTasks(db, run.id, group))
  const asks = room > 0 ? await unsubmittedAsks(db, run.id, group, room) : []
  let isPaused = false
  let end: AskFault | undefined
  await each(asks, terms.atOnce, async (ask) => {
    if (isPaused || end || stopping.aborted) return
    const askedAt = await book.begin(ask.id)
    if (askedAt === null) {
      end ??= new AskFault('key', capReached)
      return
    }
    const { id } = await addTask(db, ask, price)
    const sent = await send(work, { ...ask, askedAt }, id, of)
    if (sent === 'pause') isPaused = true
    else if (sent !== 'sent') end ??= sent
  })
  const left = await unsubmittedAsks(db, run.id, group, 1)
  const submitAt = left.length === 0 ? null : inMs(isPaused ? terms.limitedMs : terms.lookMs)
  return { submitAt, ...(end && { end }) }
}

/** The time of the next look, which comes later each time. */
function lookAt({ looks }: OpenTask, isQueued: boolean, terms: TaskTerms): Date {
  const most = isQueued ? terms.mostQueuedLookMs : terms.mostLookMs
  const ms = Math.min(most, terms.lookMs * 1.5 ** Math.min(looks, 30))
  return inMs(ms * (0.75 + Math.random() / 4))
}

/** Gives up a task that takes too long: cancels it, or counts what it may still cost. */
async function giveUp(work: Work, task: OpenTask, why: string, of: TaskWork): Promise<void> {
  const { asker, access, book, price, signal } = of
  const { ask, taskId } = task
  const isCancelled = taskId !== null && (await asker.cancel(access, taskId, signal))
  await book.end({ askId: ask.id, ...(isCancelled ? failed(why) : lost(why, price)) })
  await endTask(work.db, task.id, 'failed')
}

async function see(work: Work, task: OpenTask, looked: Looked, of: TaskWork): Promise<void> {
  const { db } = work
  const { access, book, price, terms } = of
  const name = providerNames[access.provider]
  const { ask } = task
  if (looked.state === 'done') {
    await store(work, ask, looked, of)
    await endTask(db, task.id, 'done')
    return
  }
  if (looked.state === 'failed') {
    const reason = `${name} failed: ${looked.reason}.`
    // Services bill no task that failed, unless they say so.
    await book.end({ askId: ask.id, ...(looked.isBilled ? lost(reason, price) : failed(reason)) })
    await endTask(db, task.id, 'failed')
    return
  }
  const isQueued = looked.state === 'queued'
  const startedAt = isQueued ? null : (task.startedAt ?? new Date())
  const since = startedAt ?? task.submittedAt
  const limit = isQueued ? terms.queuedMs : terms.runningMs
  if (Date.now() - since.getTime() > limit) {
    const what = isQueued ? 'begin the question' : 'end the question'
    await giveUp(work, task, `${name} did not ${what} in time.`, of)
    return
  }
  const nextLookAt = lookAt(task, isQueued, terms)
  const looks = task.looks + 1
  await noteTask(db, task.id, { state: looked.state, startedAt, looks, nextLookAt })
}

/** Looks at one task. @returns the fault after which the key can ask nothing more */
async function look(work: Work, task: OpenTask, of: TaskWork): Promise<AskFault | null> {
  const { asker, access, book, price, terms, signal } = of
  const { ask, taskId } = task
  const name = providerNames[access.provider]
  if (taskId === null) return sendAgain(work, task, of)
  try {
    const asked = { taskId, surface: surfaceOf(ask.model), prompt: ask.prompt }
    await see(work, task, await asker.look(access, asked, signal), of)
    return null
  } catch (error) {
    if (!(error instanceof AskFault)) throw error
    if (error.status === 404 || error.status === 410) {
      await book.end({
        askId: ask.id,
        ...lost(`${name} no longer has the answer. ${error.message}`, price),
      })
      await endTask(work.db, task.id, 'failed')
      return null
    }
    if (Date.now() - task.submittedAt.getTime() > terms.queuedMs + terms.runningMs) {
      await giveUp(work, task, `${name} gave no answer in time. ${error.message}`, of)
      return null
    }
    const wait = Math.max(error.retryAfterMs ?? 0, lookAt(task, true, terms).getTime() - Date.now())
    await noteTask(work.db, task.id, { looks: task.looks + 1, nextLookAt: inMs(wait) })
    return error.endsKey ? error : null
  }
}

/** A submission whose reply nobody has stored: its worker was killed, or its service answered with a fault. */
async function sendAgain(work: Work, task: OpenTask, of: TaskWork): Promise<AskFault | null> {
  const { access, book, price, terms } = of
  const { ask } = task
  const isOld = Date.now() - task.submittedAt.getTime() > terms.queuedMs
  if (services[access.provider].knowsIds && !isOld) {
    const sent = await send(work, ask, task.id, of)
    return sent instanceof AskFault ? sent : null
  }
  const name = providerNames[access.provider]
  await book.end({
    askId: ask.id,
    ...lost(`It is not known whether ${name} took the question: its reply was lost.`, price),
  })
  await endTask(work.db, task.id, 'failed')
  return null
}

const mostDue = 1000
/** Questions of a run. */
const mostAsks = 100_000

/**
 * Looks at the tasks of a group that are due, and sends questions that have none. It waits for no task.
 * @returns when questions that have no task yet may be sent
 */
export async function stepTasks(work: Work, of: TaskWork): Promise<Left> {
  const { db } = work
  const { run, group, access, terms, stopping } = of
  let end: AskFault | undefined
  const due = await dueTasks(db, run.id, group, mostDue)
  await each(due, terms.atOnce, async (task) => {
    if (stopping.aborted) return
    const fault = await look(work, task, of)
    if (fault) end ??= fault
  })
  if (stopping.aborted) return { submitAt: null }
  const isLate = Date.now() >= run.deadlineAt.getTime()
  const sent = isLate || end ? null : await submitSome(work, of)
  end ??= sent?.end
  if (end?.endsKey && end.message !== capReached) {
    await noteRefused(db, group.providerKeyId, faultText(access.provider, end))
  } else if (due.length > 0 && !end) await noteWorking(db, group.providerKeyId)
  if (!end && !isLate) return { submitAt: sent?.submitAt ?? null }
  const left = await unsubmittedAsks(db, run.id, group, mostAsks)
  await failAll(work, run, left, end?.message ?? 'The run reached its deadline.')
  return { submitAt: null }
}
