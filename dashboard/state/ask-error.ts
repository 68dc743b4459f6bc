/** A value of a form that the service refused. */
export interface Wrong {
  /** The argument, by which a form finds its field. */
  readonly name: string
  /** The rule, for the field. */
  readonly rule: string
  /** The rule with the name of the field, for where there is no field. */
  readonly sentence: string
}

/** What the graph says instead of an answer, in words for the page. */
export class AskError extends Error {
  readonly code: string
  readonly wrong: readonly Wrong[]
  constructor(message: string, code: string, wrong: readonly Wrong[] = []) {
    super(message)
    this.code = code
    this.wrong = wrong
  }
}
