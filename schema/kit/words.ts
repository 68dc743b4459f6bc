import { builder } from './builder.ts'

/** A word of the contract, with its meaning, and with its name in GraphQL where that is not the word itself. */
type Meaning = string | readonly [name: string, meaning: string]

/** A word of the contract as the enums of GraphQL write it: `top-domains` is `top_domains`, `botName` is `bot_name`. */
export function graphWord(word: string): string {
  return word
    .replaceAll('-', '_')
    .replace(/(?<=[a-z])[A-Z]/g, (capital) => `_${capital}`)
    .toLowerCase()
}

/**
 * An enum of a closed list of the contract's words. Resolvers and REST know each by its word, which REST writes as a
 * text. GraphQL writes its name: that of `graphWord`, unless the meaning has another name. A meaning that quotes
 * another word of the list names it as GraphQL does.
 */
export function wordsOf<Word extends string>(
  name: string,
  description: string,
  meanings: Readonly<Record<Word, Meaning>>,
) {
  const words = (Object.entries(meanings) as [Word, Meaning][]).map(([word, meaning]) =>
    typeof meaning === 'string'
      ? ([word, graphWord(word), meaning] as const)
      : ([word, ...meaning] as const),
  )
  const nameOf = new Map<string, string>(words.map(([word, shown]) => [word, shown]))
  const values = words.map(([word, shown, text]) => {
    const description = text.replace(/(?<=`)[^`]+(?=`)/g, (quoted) => nameOf.get(quoted) ?? quoted)
    return [shown, { value: word, description }] as const
  })
  const type = builder.enumType(name, {
    description,
    values: Object.fromEntries(values) as Record<string, { value: Word; description: string }>,
    extensions: { isWords: true },
  })
  return Object.assign(type, { of: wordOf<Word> })
}

/** A text of the catalog as a word of a list. Only words of the list are written there. */
function wordOf<Word extends string>(stored: string): Word
function wordOf<Word extends string>(stored: string | null): Word | null
function wordOf(stored: string | null) {
  return stored
}
