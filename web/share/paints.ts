import type { Scheme } from './colours.ts'

/** Colours that ECharts draws with. The page replaces each by a variable, whose value depends on the scheme. */
export const paint = {
  ink: '#010101',
  muted: '#020202',
  line: '#030303',
  accent: '#040404',
  other: '#050505',
  good: '#060606',
  flat: '#070707',
  bad: '#080808',
  surface: '#090909',
} as const satisfies Partial<Record<keyof Scheme | 'accent', string>>

export const paints: ReadonlyMap<string, string> = new Map(
  Object.entries(paint).map(([name, colour]) => [colour, `var(--${name})`]),
)
