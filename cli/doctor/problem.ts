export interface Problem {
  readonly problem: string
  /** How to fix it. */
  readonly mend: string
}
