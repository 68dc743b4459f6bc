import { type Language, language } from '../../web/share/locale.ts'
import * as en from './english/marks.ts'
import type { TextsLike } from './texts.ts'

const texts: Readonly<Record<Language, TextsLike<typeof en>>> = { en }

/** Texts of what was done for the brand, which load with its list. */
export const { marks } = texts[language]
