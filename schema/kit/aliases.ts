import { builder } from './builder.ts'

export const aliasTextArg = builder.args((t) => ({
  text: t.string({ required: true, description: 'The alias: another name of the brand.' }),
}))

export const aliasArgs = builder.args((t) => ({
  text: t.string({ required: true, description: 'The alias: another name of the brand.' }),
  caseSensitive: t.boolean({
    defaultValue: false,
    description: 'Whether an alias counts only in exactly this upper and lower case.',
  }),
}))

/** GraphQL's null is an absent flag. */
export const aliasOf = (args: { text: string; caseSensitive?: boolean | null | undefined }) => ({
  text: args.text,
  caseSensitive: args.caseSensitive ?? false,
})
