import { dark, light, readable, type Scheme } from '../web/share/colours.ts'

const accent = '#2457c5'

function variables(scheme: Scheme): string {
  return Object.entries({ ...scheme, accent: readable(accent, scheme) })
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';')
}

/** The colours of shared reports, by the scheme of the machine or by the reader's choice. */
export function themeCss(): string {
  const [bright, dim] = [variables(light), variables(dark)]
  return [
    `:root{color-scheme:light;${bright}}`,
    `@media (prefers-color-scheme:dark){:root{color-scheme:dark;${dim}}}`,
    `:root[data-scheme=light]{color-scheme:light;${bright}}`,
    `:root[data-scheme=dark]{color-scheme:dark;${dim}}`,
  ].join('\n')
}
