import { type Language, language } from '../../web/share/locale.ts'
import * as en from './english/seen-brands.ts'
import type { TextsLike } from './texts.ts'

const texts: Readonly<Record<Language, TextsLike<typeof en>>> = { en }

/** Texts about brands that no project tracks yet, which load where they are proposed. */
export const { seenBrands } = texts[language]
