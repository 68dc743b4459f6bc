import { builder } from './builder.ts'

export const aliasTextArg = builder.args((t) => ({
  text: t.string({ required: true, description: 'The name.' }),
}))

export const aliasArgs = builder.args((t) => ({
  text: t.string({ required: true, description: 'The name.' }),
  caseSensitive: t.boolean({
    defaultValue: false,
    description: 'Whether it counts only when written exactly so.',
  }),
}))

/** GraphQL's null is an absent flag. */
export const aliasOf = (args: { text: string; caseSensitive?: boolean | null | undefined }) => ({
  text: args.text,
  caseSensitive: args.caseSensitive ?? false,
})
