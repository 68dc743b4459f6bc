import { addBrandAlias, removeBrandAlias } from '../../resolvers/projects/aliases.ts'
import { aliasArgs, aliasOf, aliasTextArg } from '../brands/alias-args.ts'
import { projectMutation } from '../kit/project-mutation.ts'

projectMutation('addBrandAlias', {
  description: 'Adds an alias of the own brand. An existing alias takes the given `caseSensitive`.',
  args: aliasArgs,
  change: ({ db, actor, projectId }, args) => addBrandAlias(db, actor, projectId, aliasOf(args)),
})

projectMutation('removeBrandAlias', {
  description: 'Removes an alias of the own brand.',
  args: aliasTextArg,
  change: ({ db, actor, projectId }, { text }) => removeBrandAlias(db, actor, projectId, { text }),
})
