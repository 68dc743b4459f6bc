/** Colours of one scheme. Names are those of the CSS variables. */
export interface Scheme {
  readonly page: string
  readonly surface: string
  readonly ink: string
  readonly muted: string
  readonly line: string
  readonly other: string
  readonly good: string
  readonly flat: string
  readonly bad: string
}

export const light: Scheme = {
  page: '#f5f6f8',
  surface: '#ffffff',
  ink: '#18202b',
  muted: '#556070',
  line: '#dfe4ea',
  other: '#a9b4c2',
  good: '#1d7f4f',
  flat: '#9aa5b4',
  bad: '#c0392b',
}

export const dark: Scheme = {
  page: '#0e1319',
  surface: '#171d26',
  ink: '#e8edf3',
  muted: '#a3afbd',
  line: '#2c3643',
  other: '#5b6878',
  good: '#4cc38a',
  flat: '#7d8997',
  bad: '#f0796b',
}

/** The least contrast of text by WCAG 2.2, level AA. */
const leastContrast = 4.5

type Rgb = readonly [number, number, number]

function rgbOf(hex: string): Rgb {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

function hexOf(rgb: Rgb): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

/** @see WCAG 2.2, "relative luminance" */
function luminance(hex: string): number {
  const [r, g, b] = rgbOf(hex).map((part) => {
    const value = part / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The contrast of two colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

/** The colour, moved toward the ink of the scheme as far as it must to be read on both of its grounds. */
export function readable(hex: string, { page, surface, ink }: Scheme): string {
  const [from, to] = [rgbOf(hex), rgbOf(ink)]
  for (let step = 0; step <= 20; step++) {
    const mixed = hexOf(
      from.map((part, i) => part + ((to[i] ?? 0) - part) * (step / 20)) as unknown as Rgb,
    )
    if (Math.min(contrast(mixed, page), contrast(mixed, surface)) >= leastContrast) return mixed
  }
  return ink
}
