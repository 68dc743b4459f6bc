export interface Problem {
  readonly problem: string
  /** What to do about it. */
  readonly mend: string
}
