import { type Language, language } from '../../web/share/locale.ts'
import * as en from './english/retention.ts'
import type { TextsLike } from './texts.ts'

const texts: Readonly<Record<Language, TextsLike<typeof en>>> = { en }

/** Texts about how long data is kept, which load with their page. */
export const { retention } = texts[language]
