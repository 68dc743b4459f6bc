/**
 * Why a search console or an analytics tool gives no data: access is denied, the name is unknown, the API is off in the
 * project of the client, the quota is used up, the sign-in or the key has ended, or the fault is their own.
 */
export type RefusalProblem =
  | 'accessDenied'
  | 'notFound'
  | 'apiDisabled'
  | 'quota'
  | 'signInEnded'
  | 'scopeMissing'
  | 'unavailable'

/** A source gives no data for what was asked. */
export class Refusal extends Error {
  readonly problem: RefusalProblem

  constructor(problem: RefusalProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

/** Another try may change these: too many requests, or a fault of theirs. */
export const mayPass = (error: unknown) =>
  error instanceof Refusal && (error.problem === 'quota' || error.problem === 'unavailable')
