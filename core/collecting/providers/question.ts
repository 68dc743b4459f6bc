import type { AskedFrom } from './place.ts'

/** Where a key asks, and with what. */
export interface Endpoint {
  readonly secret: string
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly model: string
}

/** A prompt to ask. A test asks for less. */
export interface Question {
  readonly prompt: string
  readonly from: AskedFrom
  readonly isTest: boolean
}

/** One request to the API of a provider. */
export interface ProviderRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Null for a GET. */
  readonly body: unknown
  /** The answer is about the account: any JSON without an error will do. */
  readonly isAccount?: boolean
  /** The answer says how far a task is: that a task failed is no fault of the request. */
  readonly isLook?: boolean
}
