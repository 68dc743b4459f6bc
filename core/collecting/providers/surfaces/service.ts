import type { Place } from '../place.ts'
import type { Endpoint, ProviderRequest } from '../question.ts'
import type { ProviderReply } from '../reply.ts'
import type { SurfaceName } from './names.ts'

/** A prompt to ask at a surface. */
export interface SurfaceQuestion {
  /** Of the task, chosen before it is sent: a service that knows such ids makes no second task of it. */
  readonly id: string
  readonly surface: SurfaceName
  readonly prompt: string
  readonly place: Place | null
  /** A tag such as `de`; null for the language of the prompt. */
  readonly language: string | null
}

/** How far a task is. A status that is not known counts as running. */
export type TaskSeen =
  | { readonly state: 'queued' | 'running' }
  | { readonly state: 'done' }
  | {
      readonly state: 'failed'
      readonly reason: string
      /** The task was billed, though it has no answer. */
      readonly isBilled?: boolean
    }

/** What a reply answers. */
export interface AskedSurface {
  readonly surface: SurfaceName
  readonly prompt: string
}

/** How a service is asked, and what its replies say. Pure: it sends nothing. */
export interface TaskService {
  /** Surfaces that the service reads, with the units that an answer costs. */
  readonly units: Readonly<Partial<Record<SurfaceName, number>>>
  /** What the service counts. */
  readonly unit: 'credit' | 'record' | 'result'
  /** US dollars of a unit by the public price list; absent where a plan sets it. */
  readonly listPrice?: number
  /** The most precise place that it can ask a surface from. */
  placeOf(surface: SurfaceName): 'country' | 'city'
  /** Whether it can be asked in a language. Else surfaces answer in the language of the prompt. */
  readonly knowsLanguages: boolean
  /** Whether a second submission with the same id makes no second task. */
  readonly knowsIds: boolean
  /** Asks for the account, which costs nothing. */
  account(endpoint: Endpoint): ProviderRequest
  submit(endpoint: Endpoint, question: SurfaceQuestion): ProviderRequest
  /** Whether the reply to the submission has the answer. */
  isAtOnce?(surface: SurfaceName): boolean
  /** The id of the task in the reply to its submission; null in one that has none. */
  taskIn(body: unknown): string | null
  look(endpoint: Endpoint, taskId: string, surface: SurfaceName): ProviderRequest
  see(body: unknown): TaskSeen
  /** Where the answer of a task is that is done; absent where the last look has it. */
  result?(endpoint: Endpoint, taskId: string): ProviderRequest
  /** The request that follows the one for the answer; null where none does. */
  resultAfter?(endpoint: Endpoint, body: unknown): ProviderRequest | null
  /** Absent where a task cannot be cancelled. */
  cancel?(endpoint: Endpoint, taskId: string): ProviderRequest
  /** Reads the answer. Null for a body that is none. */
  read(body: unknown, asked: AskedSurface): ProviderReply | null
}
