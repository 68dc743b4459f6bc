import { type Language, language } from '../../web/share/locale.ts'
import * as en from './english/external-links.ts'
import type { TextsLike } from './texts.ts'

const texts: Readonly<Record<Language, TextsLike<typeof en>>> = { en }

/** Texts of links to other sites, which load with the site audit. */
export const { externalLinks } = texts[language]
