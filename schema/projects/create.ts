import { createProject } from '../../resolvers/projects/create.ts'
import { firstSentimentMethod } from '../../resolvers/sentiment/method.ts'
import { aliasCase, aliasOf, aliasText } from '../brands/alias-args.ts'
import { adminWorkspace, listedScope } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { sentimentBy } from '../sentiment/method.ts'
import { type OfWorkspace, workspaceMutation } from '../workspaces/mutation.ts'
import { projectKind } from './state.ts'

interface Created {
  readonly id: string
}

const projectCreation = builder.objectRef<OfWorkspace<Created>>('ProjectCreation').implement({
  description: 'A project that was created.',
  fields: (t) => ({
    project: t.field({
      type: 'Project',
      description: 'The new project.',
      resolve: ({ id }, _args, context) => listedScope(context, id),
    }),
  }),
})

const newAlias = builder.inputType('NewAlias', {
  description: 'Another name of a brand.',
  fields: (t) => ({
    text: t.string({ required: true, description: aliasText }),
    caseSensitive: t.boolean({ description: aliasCase }),
  }),
})

const aliases = {
  type: [newAlias] as [typeof newAlias],
  description: 'Aliases: other names of the brand.',
}

const newCompetitor = builder.inputType('NewCompetitor', {
  description: 'A competitor of a new project.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the competitor.' }),
    domain: t.string({
      required: true,
      description: 'Domain of the competitor, such as `example.com`.',
    }),
    aliases: t.field(aliases),
  }),
})

type Aliases = readonly Parameters<typeof aliasOf>[0][] | null | undefined
const aliasesOf = (given: Aliases) => (given ?? []).map(aliasOf)

workspaceMutation('createProject', {
  access: adminWorkspace,
  type: projectCreation,
  description: 'Creates a project for one brand in the workspace of the key.',
  args: builder.args((t) => ({
    name: t.string({ required: true, description: 'Name of the own brand.' }),
    domain: t.string({
      required: true,
      description: 'Main domain of the own brand, such as `example.com`.',
    }),
    description: t.string({ description: 'Description of the own brand, in a sentence.' }),
    industry: t.string({ description: 'Industry of the own brand.' }),
    kind: t.field({
      type: projectKind,
      defaultValue: 'regular',
      description: 'Kind of project: regular or pitch.',
    }),
    competitors: t.field({
      type: [newCompetitor],
      description: 'Competitors that the brand is compared with.',
    }),
    aliases: t.field(aliases),
    sentimentBy: t.field({
      type: sentimentBy,
      description:
        'Who rates the sentiment of answers. Default: the model of the newest provider key whose price is known, for at most 5 US dollars in a UTC month; rules without such a key.',
    }),
  })),
  change: ({ db, actor, workspaceId, signingSecret }, args) => {
    const { name, domain, description, industry, kind } = args
    const project = {
      workspaceId,
      name,
      domain,
      aliases: aliasesOf(args.aliases),
      ...(description == null ? {} : { description }),
      ...(industry == null ? {} : { industry }),
      kind: kind ?? 'regular',
      ...(args.sentimentBy == null ? {} : { sentimentBy: args.sentimentBy }),
      competitors: (args.competitors ?? []).map((each) => ({
        name: each.name,
        domain: each.domain,
        aliases: aliasesOf(each.aliases),
      })),
    }
    return createProject(db, project, signingSecret, { actor, firstMethod: firstSentimentMethod })
  },
})
