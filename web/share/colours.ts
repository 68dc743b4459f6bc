import { dimmed, ink } from './look.ts'

/** Colours of one scheme, those of the dashboard. Names are those of the CSS variables. */
export interface Scheme {
  readonly page: string
  readonly surface: string
  readonly ink: string
  readonly muted: string
  readonly line: string
  /** A quiet ground, such as that of a bar. */
  readonly quiet: string
  readonly good: string
  readonly goodGround: string
  readonly bad: string
  readonly badGround: string
}

export const light: Scheme = {
  page: '#f8f9fa',
  surface: '#ffffff',
  ink: '#000000',
  muted: dimmed.light,
  line: '#dee2e6',
  quiet: '#e9ecef',
  good: ink('#087f5b'),
  goodGround: '#e6fcf5',
  bad: ink('#c92a2a'),
  badGround: '#fff5f5',
}

export const dark: Scheme = {
  page: '#1f1f1f',
  surface: '#242424',
  ink: '#c9c9c9',
  muted: dimmed.dark,
  line: '#424242',
  quiet: '#3b3b3b',
  good: '#63e6be',
  goodGround: '#123d30',
  bad: '#ffa8a8',
  badGround: '#4a2020',
}

/** The least contrast of text by WCAG 2.2, level AA. */
const leastContrast = 4.5

type Rgb = readonly [number, number, number]

function rgbOf(hex: string): Rgb {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

function hexOf(rgb: readonly number[]): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

/** @see WCAG 2.2, "relative luminance" */
function luminance(hex: string): number {
  const linear = (part: number) => {
    const value = part / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  const [r, g, b] = rgbOf(hex)
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

/** The contrast of two colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

/** The colour, moved toward the ink of the scheme as far as it must to be read on both of its grounds. */
export function readable(hex: string, { page, surface, ink: text }: Scheme): string {
  const [from, to] = [rgbOf(hex), rgbOf(text)]
  for (let step = 0; step <= 20; step++) {
    const mixed = hexOf(from.map((part, i) => part + ((to[i] ?? 0) - part) * (step / 20)))
    if (Math.min(contrast(mixed, page), contrast(mixed, surface)) >= leastContrast) return mixed
  }
  return text
}
