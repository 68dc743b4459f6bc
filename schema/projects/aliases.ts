import { addBrandAlias, removeBrandAlias } from '../../resolvers/projects/aliases.ts'
import { aliasArgs, aliasOf, aliasTextArg } from '../kit/aliases.ts'
import { projectMutation } from '../kit/project-mutation.ts'

projectMutation('addBrandAlias', {
  description:
    'Adds another name of the brand; one that is there already takes the given `caseSensitive`.',
  args: aliasArgs,
  change: ({ db, actor, projectId }, args) => addBrandAlias(db, actor, projectId, aliasOf(args)),
})

projectMutation('removeBrandAlias', {
  description: 'Removes another name of the brand.',
  args: aliasTextArg,
  change: ({ db, actor, projectId }, { text }) => removeBrandAlias(db, actor, projectId, { text }),
})
