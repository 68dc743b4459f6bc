import {
  DirectiveLocation,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql'

/**
 * How the schema says what its fields cost.
 * @see https://ibm.github.io/graphql-specs/cost-spec.html
 */
export const costDirectives = [
  new GraphQLDirective({
    name: 'cost',
    description: 'The cost of a field. Fields without it cost nothing.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
    args: {
      weight: {
        type: new GraphQLNonNull(GraphQLString),
        description:
          'A decimal number: 1 for a report of a project, once for each quarter of a year.',
      },
    },
  }),
  new GraphQLDirective({
    name: 'listSize',
    description: 'How often the cost of a selection counts: once for each row of the list.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
    args: {
      assumedSize: { type: GraphQLInt, description: 'Rows without a slicing argument.' },
      slicingArguments: {
        type: new GraphQLList(new GraphQLNonNull(GraphQLString)),
        description: 'Arguments that say the number of rows, or list them.',
      },
      sizedFields: {
        type: new GraphQLList(new GraphQLNonNull(GraphQLString)),
        description: 'The fields of the answer that hold the rows.',
      },
      requireOneSlicingArgument: {
        type: GraphQLBoolean,
        defaultValue: true,
        description: 'Whether a slicing argument must be given.',
      },
    },
  }),
]
