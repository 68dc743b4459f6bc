import { builder } from '../kit/builder.ts'

export const aliasText = 'The alias: another name of the brand.'

export const aliasCase =
  'Whether an alias counts only in exactly this upper and lower case. Absent, the alias itself decides: a word of the dictionary, and one or two letters, count only so.'

export const aliasTextArg = builder.args((t) => ({
  text: t.string({ required: true, description: aliasText }),
}))

export const aliasArgs = builder.args((t) => ({
  ...aliasTextArg,
  caseSensitive: t.boolean({ description: aliasCase }),
}))

export const aliasOf = (args: { text: string; caseSensitive?: boolean | null | undefined }) => ({
  text: args.text,
  caseSensitive: args.caseSensitive ?? null,
})
