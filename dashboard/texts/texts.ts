import { en } from './en.ts'

/** The texts of the reader's language. */
export const t = en
