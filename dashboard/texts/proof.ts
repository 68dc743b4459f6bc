import { type Language, language } from '../../web/share/locale.ts'
import * as en from './english/proof.ts'
import type { TextsLike } from './texts.ts'

const texts: Readonly<Record<Language, TextsLike<typeof en>>> = { en }

/** Texts about proofs, which load with the first one. */
export const { proof } = texts[language]
