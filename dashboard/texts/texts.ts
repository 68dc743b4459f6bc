import { type Language, language } from '../../web/share/locale.ts'
import { en } from './en.ts'

/** The shape of a language's file: each text, and each function that writes one. */
export type TextsLike<Shape> = {
  readonly [Name in keyof Shape]: Shape[Name] extends string
    ? string
    : Shape[Name] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : TextsLike<Shape[Name]>
}

export type Texts = TextsLike<typeof en>

/** A second language is a second file of this shape, and its name in `languages`. */
const texts: Readonly<Record<Language, Texts>> = { en }

/** The texts of the reader's language. */
export const t = texts[language]
