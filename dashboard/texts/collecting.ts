import { type Language, language } from '../../web/share/locale.ts'
import * as en from './english/data-collection.ts'
import type { TextsLike } from './texts.ts'

const texts: Readonly<Record<Language, TextsLike<typeof en>>> = { en }

/** Texts of the page of data collection, which load with it. */
export const { dataCollection } = texts[language]
