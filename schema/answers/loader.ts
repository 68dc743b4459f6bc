import DataLoader from 'dataloader'
import { answersById } from '../../resolvers/answers/edges.ts'
import { oncePerRequest } from '../kit/context.ts'

/** Without a cache: a request may change what it reads. */
export const answerLoader = oncePerRequest(() => new DataLoader(answersById, { cache: false }))
