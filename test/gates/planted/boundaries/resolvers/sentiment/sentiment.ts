export { GraphQLError } from 'graphql'
