import { Card, type CSSVariablesResolver, createTheme, Menu, Table, Tooltip } from '@mantine/core'
import { dimmed, fontFamily, headingSizes, ink } from '../web/share/look.ts'
import { t } from './texts/texts.ts'

/** The look of all pages. Spacings, radii and colours that it does not name are Mantine's own. */
export const theme = createTheme({
  primaryColor: 'indigo',
  // Dark enough for white letters in both schemes (WCAG 2.2, 4.5:1).
  primaryShade: 7,
  defaultRadius: 'md',
  autoContrast: true,
  respectReducedMotion: true,
  fontFamily,
  headings: {
    fontWeight: '700',
    sizes: { h1: { fontSize: headingSizes.h1 }, h2: { fontSize: headingSizes.h2 } },
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
    SegmentedControl: { classNames: { root: 'choices' } },
    // A focus holder of its own would be no item of the menu, which the first item gets instead.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    ModalCloseButton: { defaultProps: { 'aria-label': t.act.close } },
    // The header of a dialog is no banner of the page.
    ModalHeader: { defaultProps: { role: 'none' } },
    Badge: {
      defaultProps: { tt: 'none', variant: 'light', radius: 'sm', flex: 'none', maw: '100%' },
      classNames: { root: 'badge', label: 'badge-label' },
    },
  },
})

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
const inkOf = (name: string) => ink(`var(--mantine-color-${name}-9)`)

/** Mantine's own greys and tints of text are too pale for small letters. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': dimmed.light,
    '--mantine-color-placeholder': dimmed.light,
    '--mantine-color-error': inkOf('red'),
    '--mantine-color-indigo-light-hover':
      'color-mix(in srgb, var(--mantine-color-indigo-1), var(--mantine-color-indigo-2) 40%)',
    ...Object.fromEntries(
      inked.flatMap((name) => [
        [`--mantine-color-${name}-text`, inkOf(name)],
        [`--mantine-color-${name}-light-color`, inkOf(name)],
      ]),
    ),
  },
  dark: { '--mantine-color-dimmed': dimmed.dark, '--mantine-color-placeholder': dimmed.dark },
})
