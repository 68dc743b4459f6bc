import {
  Card,
  type CSSVariablesResolver,
  createTheme,
  type DefaultMantineColor,
  Table,
  Tooltip,
} from '@mantine/core'

/** The look of all pages. Spacings, radii and colours that it does not name are Mantine's own. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 5 },
  defaultRadius: 'md',
  autoContrast: true,
  fontFamily:
    "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  headings: {
    fontWeight: '700',
    sizes: { h1: { fontSize: '1.625rem' }, h2: { fontSize: '1rem' } },
  },
  components: {
    Card: Card.extend({ defaultProps: { withBorder: true, padding: 'md' } }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 'xs', highlightOnHover: true } }),
    Tooltip: Tooltip.extend({
      defaultProps: {
        multiline: true,
        maw: 320,
        withArrow: true,
        events: { hover: true, focus: true, touch: true },
      },
    }),
    Badge: { defaultProps: { tt: 'none', variant: 'light', radius: 'sm', flex: 'none' } },
  },
})

/** Of the own brand; competitors follow in the order of the list. */
export const ownColor: DefaultMantineColor = 'indigo.6'
export const otherColors: readonly DefaultMantineColor[] = [
  'orange.6',
  'teal.6',
  'grape.5',
  'gray.6',
  'pink.5',
  'cyan.6',
  'lime.7',
  'yellow.7',
  'red.6',
]

/** Colours of texts on white, or on a light tint of the same colour: dark enough to be read (WCAG 2.2, 4.5:1). */
const inked = [
  'teal',
  'red',
  'orange',
  'yellow',
  'gray',
  'blue',
  'cyan',
  'grape',
  'green',
  'lime',
  'pink',
  'violet',
]
const ink = (name: string) => `color-mix(in srgb, var(--mantine-color-${name}-9) 65%, black)`

/** Mantine's own greys and tints of text are too pale for small letters. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#5c636a',
    '--mantine-color-error': ink('red'),
    ...Object.fromEntries(
      inked.flatMap((name) => [
        [`--mantine-color-${name}-text`, ink(name)],
        [`--mantine-color-${name}-light-color`, ink(name)],
      ]),
    ),
  },
  dark: { '--mantine-color-dimmed': '#a9adb3', '--mantine-color-placeholder': '#a9adb3' },
})
