import { GraphQLError } from 'graphql'
import { greet } from '../core/greet.ts'
import 'not-listed'

greet(GraphQLError)
