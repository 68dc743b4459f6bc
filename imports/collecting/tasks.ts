import type { ProviderReply } from '../../core/collecting/providers/reply.ts'
import { withTargets } from '../../core/collecting/providers/reply.ts'
import type { ProviderAccess } from '../../core/collecting/providers/request.ts'
import type { ServiceName } from '../../core/collecting/providers/surfaces/names.ts'
import type {
  AskedSurface,
  SurfaceQuestion,
  TaskSeen,
} from '../../core/collecting/providers/surfaces/service.ts'
import { keepTask, readTask, services } from '../../core/collecting/providers/surfaces/services.ts'
import { type Asker, AskFault, type ProviderAnswer, type SentBody } from './ask.ts'

/** A key of a service. */
export interface ServiceAccess extends ProviderAccess {
  readonly provider: ServiceName
}

/** A submission: the id of its task, or the answer of a service that has it at once. */
export type Submitted = { readonly taskId: string } | ProviderAnswer

/** How far a task is. */
export type Looked =
  | { readonly state: 'queued' | 'running' }
  | Extract<TaskSeen, { state: 'failed' }>
  | ({ readonly state: 'done' } & ProviderAnswer)

/** Asks a service by tasks. Each call is one request or a few short ones: none waits for an answer. */
export interface TaskAsker {
  /** @throws {AskFault} */
  submit(access: ServiceAccess, question: SurfaceQuestion, signal: AbortSignal): Promise<Submitted>
  /** @throws {AskFault} */
  look(
    access: ServiceAccess,
    task: AskedSurface & { readonly taskId: string },
    signal: AbortSignal,
  ): Promise<Looked>
  /** Cancels a task where the service can. @returns whether it did */
  cancel(access: ServiceAccess, taskId: string, signal: AbortSignal): Promise<boolean>
}

const unreadable = ({ provider }: ServiceAccess) =>
  new AskFault('unreadable', `${provider} answered with a body that is no answer.`)

/** Whether a result is not there yet, though its task says that it is done. */
const isWorking = (body: unknown) =>
  typeof body === 'object' && body !== null && 'status' in body && !('error' in body)

export function openTaskAsker(asker: Asker): TaskAsker {
  async function answerOf(
    access: ServiceAccess,
    asked: AskedSurface,
    sent: SentBody,
    signal: AbortSignal,
  ): Promise<ProviderAnswer> {
    const raw = keepTask(access.provider, asked, sent.raw)
    const reply: ProviderReply | null = readTask(JSON.parse(raw))
    if (reply === null) throw unreadable(access)
    const redirects = await asker.redirectsOf(reply, signal)
    return { raw, reply: withTargets(reply, redirects), redirects }
  }

  return {
    submit: async (access, question, signal) => {
      const service = services[access.provider]
      const request = service.submit(access, question)
      const sent = await asker.send(access, request, signal)
      if (service.isAtOnce?.(question.surface)) return answerOf(access, question, sent, signal)
      const taskId = service.taskIn(sent.body)
      if (taskId === null) throw unreadable(access)
      return { taskId }
    },
    look: async (access, { taskId, ...asked }, signal) => {
      const service = services[access.provider]
      const looked = await asker.send(access, service.look(access, taskId, asked.surface), signal)
      const seen = service.see(looked.body)
      if (seen.state !== 'done') return seen
      const request = service.result?.(access, taskId)
      if (!request) return { state: 'done', ...(await answerOf(access, asked, looked, signal)) }
      const first = await asker.send(access, request, signal)
      if (!service.resultAfter && isWorking(first.body)) return { state: 'running' }
      const next = service.resultAfter?.(access, first.body)
      if (next === null) return { state: 'failed', reason: 'the task has no result' }
      const result = next ? await asker.send(access, next, signal) : first
      return { state: 'done', ...(await answerOf(access, asked, result, signal)) }
    },
    cancel: async (access, taskId, signal) => {
      const request = services[access.provider].cancel?.(access, taskId)
      if (!request) return false
      return asker.send(access, request, signal).then(
        () => true,
        (error: unknown) => {
          if (error instanceof AskFault) return false
          throw error
        },
      )
    },
  }
}
