import english from 'dictionary-en'

let words: Set<string> | null = null

/** Words that the dictionary has in lower case: "target" and "apple", not "Sony". */
function load(): Set<string> {
  const found = new Set<string>()
  for (const line of new TextDecoder().decode(english.dic).split('\n').slice(1)) {
    const [word = '', flags = ''] = line.split('/')
    if (word !== word.toLowerCase()) continue
    found.add(word)
    // The flag S of the dictionary: the word has a plural, or a third person.
    if (!flags.includes('S')) continue
    found.add(
      /(?:[^aeiou]y|[sxzh])$/.test(word)
        ? word.replace(/y?$/, (y) => (y ? 'ies' : 'es'))
        : `${word}s`,
    )
  }
  return found
}

/** Whether a word in lower case is in the dictionary, also in its plural. */
export function isDictionaryWord(lower: string): boolean {
  words ??= load()
  return words.has(lower)
}
