import { type Language, language } from '../../web/share/locale.ts'
import * as en from './english/connect.ts'
import type { TextsLike } from './texts.ts'

const texts: Readonly<Record<Language, TextsLike<typeof en>>> = { en }

/** Texts of pages that few readers open. They load with these pages, and not before the first numbers. */
export const { aiClients, connect, plannedChange } = texts[language]
