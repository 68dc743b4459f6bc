import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { eld } from 'eld/extrasmall'

type Detector = typeof eld

let detector: Detector | undefined

/** The detector takes 85 MB and a quarter of a second to load, and few answers need it: it is loaded late. */
function load(): Detector {
  const path = fileURLToPath(import.meta.resolve('eld/extrasmall'))
  return (createRequire(import.meta.url)(path) as { eld: Detector }).eld
}

/** Language of a text as a code of ISO 639-1, such as `en`; empty when the text leaves it open. */
export function languageOf(text: string): string {
  detector ??= load()
  return detector.detect(text).language
}
