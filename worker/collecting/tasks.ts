import pLimit from 'p-limit'
import { expectedCost } from '../../core/collecting/providers/cost.ts'
import { endOf } from '../../core/collecting/providers/ending.ts'
import { faultText } from '../../core/collecting/providers/fault-text.ts'
import { providerNames } from '../../core/collecting/providers/names.ts'
import type { Place } from '../../core/collecting/providers/place.ts'
import { isSurfaceName, type SurfaceName } from '../../core/collecting/providers/surfaces/names.ts'
import { services } from '../../core/collecting/providers/surfaces/services.ts'
import { AskFault, type ProviderAnswer } from '../../imports/collecting/ask.ts'
import { keepRaw, rawOf } from '../../imports/collecting/raw.ts'
import {
  type Looked,
  openTaskAsker,
  type ServiceAccess,
  type TaskAsker,
} from '../../imports/collecting/tasks.ts'
import type { Ask } from '../../prisma/generated/client.ts'
import type { AskEnd } from '../../resolvers/collecting/book.ts'
import {
  noteRefused,
  noteWorking,
  openProviderKey,
} from '../../resolvers/collecting/provider-keys.ts'
import {
  addTask,
  asksOfGroup,
  countOpenTasks,
  dropTask,
  dueTasks,
  endTask,
  nextLook,
  noteTask,
  type OpenTask,
  settleTasks,
  type TaskGroup,
  taskGroups,
  tasksOfRun,
  unsubmittedAsks,
} from '../../resolvers/collecting/tasks.ts'
import { type CollectingRun, capReached, deadlineReached, keyGone, nextMoment } from './run.ts'
import type { TaskTerms } from './terms.ts'

const taskLeft = `${keyGone} The service had taken the question: what it bills counts.`
const mostDue = 1000
/** Questions of a run. */
const mostAsks = 100_000

const inMs = (ms: number) => new Date(Date.now() + ms)

const surfaceOf = (model: string): SurfaceName => {
  if (isSurfaceName(model)) return model
  throw new Error(`${model} is no surface.`)
}

const failed = (reason: string): AskEnd => ({ state: 'failed', reason })

/** Whether the service never saw the request, or says that it took nothing. */
function tookNothing({ status, failure }: AskFault): boolean {
  if (failure !== null)
    return failure === 'dns' || failure === 'certificate' || failure === 'refused'
  return status !== null && status < 500 && status !== 408
}

/** The time of the next look, which comes later each time. */
function lookAt({ looks }: OpenTask, isQueued: boolean, terms: TaskTerms): Date {
  const most = isQueued ? terms.mostQueuedLookMs : terms.mostLookMs
  const ms = Math.min(most, terms.lookMs * 1.5 ** Math.min(looks, 30))
  return inMs(ms * (0.75 + Math.random() / 4))
}

/**
 * One step of all tasks of a run: looks at those that are due, and sends questions that have none. It waits for no task.
 * @returns when the next step is to be; null where all have ended
 */
export async function stepTasks(of: CollectingRun): Promise<Date | null> {
  const { db, run, signingSecrets } = of
  const times: Date[] = []
  const steps = (await taskGroups(db, run.id)).map(async (group) => {
    const { provider, model, unitPrice } = group
    const key = await openProviderKey(db, group.providerKeyId, signingSecrets)
    if (!key) return endWithoutKey(of, group)
    const price = await expectedCost(provider, model, unitPrice)
    const submitAt = await new SurfaceTasks(of, group, { ...key, provider, model }, price).step()
    if (submitAt) times.push(submitAt)
  })
  await of.all(steps)
  const lookedAt = await nextLook(db, run.id)
  if (lookedAt) times.push(lookedAt)
  return times.length === 0 ? null : new Date(Math.min(...times.map((at) => at.getTime())))
}

/**
 * Ends the questions of a key that is gone. A service bills what it has taken, and without the key nobody can fetch or
 * cancel it: what it may cost counts.
 */
async function endWithoutKey({ db, run, book }: CollectingRun, group: TaskGroup): Promise<void> {
  const [asks, tasks] = await Promise.all([asksOfGroup(db, run.id, group), tasksOfRun(db, run.id)])
  const costs = new Map(tasks.map(({ askId, expectedCost: cost }) => [askId, cost]))
  await book.end(
    asks.map(({ id: askId }) => ({
      askId,
      state: 'failed',
      ...(costs.has(askId)
        ? { reason: taskLeft, cost: costs.get(askId) ?? null }
        : { reason: keyGone }),
    })),
  )
  await settleTasks(db, run.id)
}

/** The tasks of a run that one key has at one surface. */
class SurfaceTasks {
  readonly #of: CollectingRun
  readonly #group: TaskGroup
  readonly #access: ServiceAccess
  readonly #asker: TaskAsker
  readonly #name: string
  /** US dollars that a task is expected to cost; null where the plan has no stated price. */
  readonly #price: number | null
  /** The price of the dearest so far, which is the measure for those after it. */
  #reserved: number | null
  /** Why the key can ask nothing more. */
  #end: AskFault | null = null

  constructor(of: CollectingRun, group: TaskGroup, access: ServiceAccess, price: number | null) {
    this.#of = of
    this.#group = group
    this.#access = access
    this.#asker = openTaskAsker(of.asker)
    this.#name = providerNames[access.provider]
    this.#price = price
    this.#reserved = price
  }

  /** @returns when questions that have no task yet may be sent; null without such questions */
  async step(): Promise<Date | null> {
    const { db, run, terms, stopping } = this.#of
    const due = await dueTasks(db, run.id, this.#group, mostDue)
    const limit = pLimit(terms.tasks.atOnce)
    const look = (task: OpenTask) =>
      limit(async () => {
        if (!stopping.aborted) await this.#look(task)
      })
    await this.#of.all(due.map(look))
    const isLate = Date.now() >= run.deadlineAt.getTime()
    const submitAt = isLate || this.#end ? null : await this.#submitSome()
    const end = this.#end
    if (end?.endsKey && end.message !== capReached) {
      await noteRefused(db, this.#group.providerKeyId, faultText(this.#access.provider, end))
    } else if (due.length > 0 && !end) await noteWorking(db, this.#group.providerKeyId)
    if (!end && !isLate) return submitAt
    const left = await unsubmittedAsks(db, run.id, this.#group, mostAsks)
    await this.#of.fail(left, end?.message ?? deadlineReached)
    return null
  }

  /** Sends questions that have no task yet, as many as there is room for. @returns as `step` */
  async #submitSome(): Promise<Date | null> {
    const { db, run, book, stopping } = this.#of
    const terms = this.#of.terms.tasks
    const room = terms.mostOpen - (await countOpenTasks(db, run.id, this.#group))
    const asks = room > 0 ? await unsubmittedAsks(db, run.id, this.#group, room) : []
    let isPaused = false
    const limit = pLimit(terms.atOnce)
    const submit = async (ask: Ask) => {
      if (isPaused || this.#end || stopping.aborted) return
      const askedAt = nextMoment()
      if (!(await book.begin({ askId: ask.id, askedAt, price: this.#reserved }))) {
        this.#end ??= new AskFault('key', capReached)
        return
      }
      const { id } = await addTask(db, ask, this.#price)
      if ((await this.#send({ ...ask, askedAt }, id)) === 'pause') isPaused = true
    }
    await this.#of.all(asks.map((ask) => limit(() => submit(ask))))
    const left = await unsubmittedAsks(db, run.id, this.#group, 1)
    return left.length === 0 ? null : inMs(isPaused ? terms.limitedMs : terms.lookMs)
  }

  /**
   * Sends a task. Its row is there before, and its id at the service is stored before anything else is done.
   * @returns `pause` where all submissions are to pause
   */
  async #send(ask: Ask, id: string): Promise<'sent' | 'pause'> {
    const { db, run, signal } = this.#of
    const terms = this.#of.terms.tasks
    const { knowsIds } = services[this.#access.provider]
    const surface = surfaceOf(ask.model)
    const place = ask.place as Place | null
    const question = { id, surface, prompt: ask.prompt, place, language: run.language }
    try {
      const sent = await this.#asker.submit(this.#access, question, signal)
      if ('taskId' in sent) {
        const nextLookAt = inMs(terms.lookMs)
        await noteTask(db, id, { taskId: sent.taskId, state: 'queued', nextLookAt })
      } else await this.#store(ask, id, sent)
      return 'sent'
    } catch (error) {
      if (!(error instanceof AskFault)) throw error
      if (knowsIds && error.status === 409) {
        // The task is there, and the reply that had its id was lost.
        await this.#lose(
          ask,
          id,
          `${this.#name} has the question, and its reply with the id was lost.`,
        )
      } else if (error.endsKey || error.kind === 'address') {
        this.#end ??= error
        await this.#drop(ask, id, failed(error.message))
      } else if (!error.mayPass) {
        await this.#finish(ask, id, failed(error.message))
      } else if (tookNothing(error)) {
        await this.#drop(ask, id, { state: 'waiting' })
        return 'pause'
      } else if (knowsIds) {
        // Sent again with the same id, it is one task.
        await noteTask(db, id, { nextLookAt: inMs(error.retryAfterMs ?? terms.limitedMs) })
        return 'pause'
      } else {
        const reason = `It is not known whether ${this.#name} took the question. ${error.message}`
        await this.#lose(ask, id, reason)
      }
      return 'sent'
    }
  }

  /** Looks at one task. */
  async #look(task: OpenTask): Promise<void> {
    const { db, signal } = this.#of
    const terms = this.#of.terms.tasks
    const { ask, taskId } = task
    if (taskId === null) return this.#sendAgain(task)
    try {
      const asked = { taskId, surface: surfaceOf(ask.model), prompt: ask.prompt }
      await this.#see(task, await this.#asker.look(this.#access, asked, signal))
    } catch (error) {
      if (!(error instanceof AskFault)) throw error
      if (error.status === 404 || error.status === 410) {
        await this.#lose(ask, task.id, `${this.#name} no longer has the answer. ${error.message}`)
        return
      }
      if (Date.now() - task.submittedAt.getTime() > terms.queuedMs + terms.runningMs) {
        await this.#giveUp(task, `${this.#name} gave no answer in time. ${error.message}`)
        return
      }
      const notBefore = Date.now() + (error.retryAfterMs ?? 0)
      const nextLookAt = new Date(Math.max(notBefore, lookAt(task, true, terms).getTime()))
      await noteTask(db, task.id, { looks: task.looks + 1, nextLookAt })
      if (error.endsKey) this.#end ??= error
    }
  }

  /** A submission whose reply nobody has stored: its worker was killed, or its service answered with a fault. */
  async #sendAgain({ id, ask, submittedAt }: OpenTask): Promise<void> {
    const isOld = Date.now() - submittedAt.getTime() > this.#of.terms.tasks.queuedMs
    if (services[this.#access.provider].knowsIds && !isOld) {
      await this.#send(ask, id)
      return
    }
    const reason = `It is not known whether ${this.#name} took the question: its reply was lost.`
    await this.#lose(ask, id, reason)
  }

  /** Notes what a look has found. */
  async #see(task: OpenTask, looked: Looked): Promise<void> {
    const terms = this.#of.terms.tasks
    const { id, ask } = task
    if (looked.state === 'done') return this.#store(ask, id, looked)
    if (looked.state === 'failed') {
      const reason = `${this.#name} failed: ${looked.reason}.`
      // Services bill no task that failed, unless they say so.
      return looked.isBilled ? this.#lose(ask, id, reason) : this.#finish(ask, id, failed(reason))
    }
    const isQueued = looked.state === 'queued'
    const startedAt = isQueued ? null : (task.startedAt ?? new Date())
    const since = startedAt ?? task.submittedAt
    const limit = isQueued ? terms.queuedMs : terms.runningMs
    if (Date.now() - since.getTime() > limit) {
      const what = isQueued ? 'begin the question' : 'end the question'
      return this.#giveUp(task, `${this.#name} did not ${what} in time.`)
    }
    const nextLookAt = lookAt(task, isQueued, terms)
    const looks = task.looks + 1
    await noteTask(this.#of.db, id, { state: looked.state, startedAt, looks, nextLookAt })
  }

  /** Stores the answer of a task before it counts: a kill between the two loses nothing. */
  async #store(ask: Ask, id: string, answer: ProviderAnswer): Promise<void> {
    const { warehouse, run } = this.#of
    const askedAt = ask.askedAt ?? new Date()
    await keepRaw(warehouse, rawOf(run, ask, askedAt, answer))
    const end = await endOf(ask, answer.reply)
    if (this.#reserved !== null) this.#reserved = Math.max(this.#reserved, end.cost ?? 0)
    await this.#finish(ask, id, { ...end, askedAt }, 'done')
  }

  /** Gives up a task that takes too long: cancels it, or counts what it may still cost. */
  async #giveUp({ id, ask, taskId }: OpenTask, why: string): Promise<void> {
    const { signal } = this.#of
    const isCancelled = taskId !== null && (await this.#asker.cancel(this.#access, taskId, signal))
    return isCancelled ? this.#finish(ask, id, failed(why)) : this.#lose(ask, id, why)
  }

  /** Ends a task whose service took the question, and gives no answer. What it may have billed counts. */
  #lose(ask: Ask, id: string, reason: string): Promise<void> {
    return this.#finish(ask, id, { ...failed(reason), outcome: 'failed', cost: this.#price })
  }

  /** Ends a question and its task, in this order: a kill between the two leaves a task that `settleTasks` ends. */
  async #finish(ask: Ask, id: string, end: AskEnd, state: 'done' | 'failed' = 'failed') {
    await this.#of.book.end([{ askId: ask.id, ...end }])
    await endTask(this.#of.db, id, state)
  }

  /** Removes a task that no service has taken. */
  async #drop(ask: Ask, id: string, end: AskEnd): Promise<void> {
    await dropTask(this.#of.db, id)
    await this.#of.book.end([{ askId: ask.id, ...end }])
  }
}
