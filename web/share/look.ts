/** The look that the dashboard and the pages of reports have in common. Colours are of Mantine's palette. */

export const fontFamily =
  "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

export const headingSizes = { h1: '1.625rem', h2: '1rem' } as const

/** Small letters. Mantine's own grey is too pale for them. */
export const dimmed = { light: '#5c636a', dark: '#a9adb3' } as const

/** Of a text on white, or on a light tint of the same colour: dark enough to be read (WCAG 2.2, 4.5:1). */
export const ink = (colour: string) => `color-mix(in srgb, ${colour} 65%, black)`

/** Of the own brand in charts: indigo.6. */
export const ownColour = '#4c6ef5'

/** Of competitors in charts, in the order of the list: orange.6, teal.6, grape.5, gray.6, pink.5, cyan.6, lime.7, yellow.7, red.6. */
export const otherColours: readonly string[] = [
  '#fd7e14',
  '#12b886',
  '#cc5de8',
  '#868e96',
  '#f06595',
  '#15aabf',
  '#74b816',
  '#f59f00',
  '#fa5252',
]

/** Readers cannot distinguish more lines than this in one chart. */
export const mostLines = 6
