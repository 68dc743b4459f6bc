import { builder } from './builder.ts'

/** A word of the contract, with its meaning, and with its name in GraphQL where that is not the word itself. */
type Meaning = string | readonly [name: string, meaning: string]

/**
 * An enum of a closed list of the contract's words. Resolvers and REST know each by its word, which REST writes as a
 * text. GraphQL writes its name: the word with `_` for `-`, unless the meaning has another name.
 */
export function wordsOf<Word extends string>(
  name: string,
  description: string,
  meanings: Readonly<Record<Word, Meaning>>,
) {
  const values = (Object.entries(meanings) as [Word, Meaning][]).map(([word, meaning]) => {
    const [shown, text] =
      typeof meaning === 'string' ? [word.replaceAll('-', '_'), meaning] : meaning
    return [shown, { value: word, description: text }] as const
  })
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(values) as Record<string, { value: Word; description: string }>,
    extensions: { isWords: true },
  })
}
