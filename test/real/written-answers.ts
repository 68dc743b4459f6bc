import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileBrands } from '../../core/text/mentions.ts'
import type { Tone } from '../../core/text/sentiment.ts'
import { root } from '../kit/repository.ts'
import type { Half, Labelled } from './labelled-tones.ts'
import labels from './written-tones.json' with { type: 'json' }

export const writtenLanguages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'] as const
export type WrittenLanguage = (typeof writtenLanguages)[number]

const tones: Readonly<Record<string, Tone | 'named'>> = {
  '+': 'positive',
  '0': 'neutral',
  '-': 'negative',
  n: 'named',
}

/** "Finovo + Kreda 0" as brands with the tone of each. */
const readLabels = (text: string) =>
  [...text.matchAll(/(\S+) ([+0n-])(?= |$)/g)].map(([, brand = '', sign = '']) => {
    const label = tones[sign]
    if (label === undefined) throw new Error(`no tone of ${brand} in ${text}`)
    return { brand, label }
  })

const read = labels.tones.map(readLabels)
const names = [...new Set(read.flat().map(({ brand }) => brand))]
const matcher = compileBrands(
  names.map((text) => ({
    id: text,
    isOwn: false,
    names: [{ text, caseSensitive: false }],
    domains: [],
  })),
)

/** Answers to one number say the same in each language, so a half has the same numbers in all of them. */
const halfOf = (index: number): Half => (index % 2 === 0 ? 'tune' : 'kept')

/**
 * Invented answers about invented brands, with the tone that a reader found in the whole answer.
 * @throws Error where an answer names a brand that has no label, or where an answer is missing
 */
export function written(language: WrittenLanguage, half: Half): Labelled[] {
  const file = readFileSync(join(root, 'test/real/written', `${language}.txt`), 'utf8')
  const answers = file.split(/^=== /m).slice(1)
  if (answers.length !== read.length) throw new Error(`${language} has ${answers.length} answers`)
  return answers.flatMap((answer, index) => {
    if (halfOf(index) !== half) return []
    const text = answer.slice(answer.indexOf('\n') + 1).trim()
    const mentions = matcher.find(text)
    return mentions.map(({ brandId }, brand) => {
      const found = read[index]?.find((one) => one.brand === brandId)
      if (!found) throw new Error(`no label of ${brandId} in answer ${index + 1} of ${language}`)
      const prompt = `written ${index + 1}`
      return { text, prompt, platform: 'chatgpt', mentions, brand, label: found.label }
    })
  })
}
