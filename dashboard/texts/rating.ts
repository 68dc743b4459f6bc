import { type Language, language } from '../../web/share/locale.ts'
import * as en from './english/rating.ts'
import type { TextsLike } from './texts.ts'

const texts: Readonly<Record<Language, TextsLike<typeof en>>> = { en }

/** Texts about who rates sentiment, which load with the settings. */
export const { rating } = texts[language]
