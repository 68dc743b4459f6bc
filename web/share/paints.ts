import type { Scheme } from './colours.ts'

/** Colours that ECharts draws with. The page replaces each by a variable, whose value depends on the scheme. */
export const paint = {
  ink: '#010101',
  muted: '#020202',
  line: '#030303',
} as const satisfies Partial<Record<keyof Scheme, string>>

/** Of the lines of a chart, in their order. */
export const linePaint = (at: number) => `#${`${at + 10}`.repeat(3)}`

const mostPaints = 10

export const paints: ReadonlyMap<string, string> = new Map([
  ...Object.entries(paint).map(([name, colour]) => [colour, `var(--${name})`] as const),
  ...Array.from({ length: mostPaints }, (_, at) => [linePaint(at), lineVariable(at)] as const),
])

export function lineVariable(at: number): string {
  return `var(--c${at})`
}
