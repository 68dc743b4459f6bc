import { builder } from '../kit/builder.ts'

export const aliasText = 'The alias: another name of the brand.'

export const aliasCase =
  'Whether the alias counts only in exactly this case. Default: so for words of the dictionary and for one or two letters.'

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
