import english from 'dictionary-en'

interface Dictionary {
  /** Words in lower case, with their plurals: "target" and "apple", not "Sony". */
  readonly words: ReadonlySet<string>
  /** Of these, the nouns that are no verbs, with their plurals: "strength", not "charge". */
  readonly nouns: ReadonlySet<string>
  /** Words in upper case, in lower case here: first names, surnames, places. */
  readonly properNames: ReadonlySet<string>
}

let dictionary: Dictionary | null = null

const pluralOf = (word: string) =>
  /(?:[^aeiou]y|[sxzh])$/.test(word) ? word.replace(/y?$/, (y) => (y ? 'ies' : 'es')) : `${word}s`

function load(): Dictionary {
  const [words, nouns, properNames] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const line of new TextDecoder().decode(english.dic).split('\n').slice(1)) {
    const [word = '', flags = ''] = line.split('/')
    const lower = word.toLowerCase()
    if (word !== lower) {
      properNames.add(lower)
      continue
    }
    // The flag S of the dictionary: the word has a plural, or a third person. M: it has a possessive. G: it has an "-ing".
    const isNoun = flags.includes('M') && !flags.includes('G')
    for (const form of flags.includes('S') ? [word, pluralOf(word)] : [word]) {
      words.add(form)
      if (isNoun) nouns.add(form)
    }
  }
  return { words, nouns, properNames }
}

function loaded(): Dictionary {
  dictionary ??= load()
  return dictionary
}

/** Whether a word in lower case is in the dictionary, also in its plural. */
export function isDictionaryWord(lower: string): boolean {
  return loaded().words.has(lower)
}

// Nouns that the dictionary has as forms of their verbs: "application".
const nounEnding = /(?:[ts]ion|ment|ness|ity)s?$|ities$/

/** Whether a word in lower case is a noun of the dictionary and no verb, also in its plural. */
export function isOnlyNoun(lower: string): boolean {
  const { words, nouns } = loaded()
  // The dictionary has "running" as a word of its own.
  const stem = lower.replace(/s$/, '')
  if (words.has(`${stem}${stem.slice(-1)}ing`)) return false
  return nouns.has(lower) || (nounEnding.test(lower) && lower.length > 6)
}

/** Whether a capitalised word, given in lower case, can be a proper name: the dictionary has it so, or not at all. */
export function canBeProperName(lower: string): boolean {
  const { words, properNames } = loaded()
  return properNames.has(lower) || !words.has(lower)
}
