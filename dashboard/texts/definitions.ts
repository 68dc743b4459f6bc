import { type Language, language } from '../../web/share/locale.ts'
import * as en from './english/definitions.ts'
import type { TextsLike } from './texts.ts'

const texts: Readonly<Record<Language, TextsLike<typeof en>>> = { en }

/** Texts about the definitions of visibility, which load with their table. */
export const { definitions } = texts[language]
