export interface Problem {
  readonly problem: string
  /** How to fix it. */
  readonly mend: string
}

/** What one check found. A warning leaves the service working. */
export interface Check {
  readonly name: string
  readonly state: 'ok' | 'warning' | 'failed'
  /** What works, or what is wrong. */
  readonly found: string
  /** What to do; null where nothing is wrong. */
  readonly mend: string | null
}

export const ok = (name: string, found: string): Check => ({ name, state: 'ok', found, mend: null })

export const warning = (name: string, found: string, mend: string): Check => ({
  name,
  state: 'warning',
  found,
  mend,
})

export const failed = (name: string, found: string, mend: string): Check => ({
  name,
  state: 'failed',
  found,
  mend,
})

/** The checks of a name: one for each problem, or one that says what works. */
export function checksOf(name: string, problems: readonly Problem[], works: string): Check[] {
  if (problems.length === 0) return [ok(name, works)]
  return problems.map(({ problem, mend }) => failed(name, problem, mend))
}
