import type { Obtained } from '../../core/collecting/obtained.ts'
import { wordsOf } from './words.ts'

export const obtained = wordsOf<Obtained>('Obtained', 'How an answer was obtained.', {
  surface: 'From a page of the AI platform, as people see it.',
  api: 'From the API of a model.',
  imported: 'From a file or another tool, which may have collected it either way.',
})
