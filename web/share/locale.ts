/** Languages that the texts of pages are written in. The first is that of readers of all others. */
export const languages = ['en'] as const

export type Language = (typeof languages)[number]

export interface Reading {
  readonly language: Language
  /** How numbers and dates are written: as the reader does, within the language of the texts. */
  readonly locale: string
}

const usualLocales: Readonly<Record<Language, string>> = { en: 'en-GB' }

const languageOf = (locale: string) =>
  languages.find((each) => each === locale.toLowerCase().split('-', 1)[0])

/** @param wanted the locales of a reader, the best first */
export function readingOf(wanted: readonly string[]): Reading {
  const locale = wanted.find((each) => languageOf(each) !== undefined) ?? usualLocales[languages[0]]
  const language = languageOf(locale) ?? languages[0]
  return { language, locale: locale.includes('-') ? locale : usualLocales[language] }
}

const isBrowser = 'document' in globalThis

/** That of the reader in a browser. What the service writes is for readers whom it does not know. */
export const { language, locale } = readingOf(isBrowser ? navigator.languages : [])
