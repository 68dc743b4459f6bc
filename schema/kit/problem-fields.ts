import { catalog } from '../../core/errors.ts'
import { graphFix, problemCodes } from '../../core/problem.ts'
import { builder } from './builder.ts'
import { howToFind, missingIn, notFoundText } from './missing.ts'
import {
  Conflict,
  Forbidden,
  InvalidInput,
  NotFound,
  type Problem,
  QuotaExceeded,
  StaleRevision,
} from './problem.ts'

const problemCode = builder.enumType('ProblemCode', {
  description: 'The codes of the problems that a mutation answers with.',
  values: Object.fromEntries(
    problemCodes.map((code) => [code, { description: catalog[code].when }]),
  ),
})

/** The texts of such a fault are those of REST, which leaves out what is missing. */
const isMissing = ({ fault }: Problem) => fault.code === 'not_found'

const problem = builder.interfaceRef<Problem>('Problem').implement({
  description: 'Why a mutation changed nothing, for a caller who can act on it.',
  fields: (t) => ({
    code: t.field({
      type: problemCode,
      description: 'Code of the problem, for programs: its meaning never changes.',
      resolve: ({ fault }) => fault.code,
    }),
    message: t.string({
      description: 'The wrong thing, in one sentence for people.',
      resolve: (problem) =>
        isMissing(problem) ? notFoundText(missingIn(problem)) : problem.fault.message,
    }),
    howToFix: t.string({
      nullable: true,
      description: 'What the caller can do; null where that depends.',
      resolve: (problem) =>
        isMissing(problem) ? howToFind(missingIn(problem)) : graphFix(problem.fault),
    }),
    retryable: t.boolean({
      description: 'Whether the same request may succeed later.',
      resolve: ({ fault }) => fault.retryable,
    }),
    docsUrl: t.string({
      description: 'Page that explains the code.',
      resolve: ({ fault }, _args, { services }) => `${services.baseUrl}/docs/errors#${fault.code}`,
    }),
  }),
})

const interfaces = [problem]

interface WrongField {
  readonly path: string | null
  readonly message: string
}

const wrongField = builder.objectRef<WrongField>('InvalidField').implement({
  description: 'A wrong value in the input of a mutation.',
  fields: (t) => ({
    path: t.exposeString('path', {
      nullable: true,
      description:
        'Argument, or place below it, such as `prompts.0.text`. Null for the input as a whole.',
    }),
    message: t.exposeString('message', {
      description: 'Rule that the value breaks. The argument is its subject.',
    }),
  }),
})

builder.objectType(InvalidInput, {
  name: 'InvalidInput',
  description: 'An argument is not valid.',
  interfaces,
  fields: (t) => ({
    fields: t.field({
      type: [wrongField],
      description: 'The wrong values.',
      resolve: ({ fault }): WrongField[] => {
        const { formErrors = [], fieldErrors = {} } = fault.extras.details ?? {}
        return [
          ...formErrors.map((message) => ({ path: null, message })),
          ...Object.entries(fieldErrors).flatMap(([path, messages]) =>
            messages.map((message) => ({ path, message })),
          ),
        ]
      },
    }),
  }),
})

builder.objectType(NotFound, {
  name: 'NotFound',
  description: 'The project or the object does not exist, or the key cannot reach it.',
  interfaces,
  fields: (t) => ({
    argument: t.string({
      description:
        'Argument that names nothing, or place below it, such as `prompts.0.topicIds.1`.',
      resolve: (problem) => missingIn(problem).argument,
    }),
    id: t.string({
      nullable: true,
      description: 'An id, or a text that names an object. Null where not given.',
      resolve: (problem) => missingIn(problem).value,
    }),
  }),
})

/** The fields that name what a key lacks are of the area of keys. */
export const forbidden = builder.objectType(Forbidden, {
  name: 'Forbidden',
  description: "The key, the user's role or the plan does not allow the change.",
  interfaces,
  fields: (t) => ({
    requiresUpgrade: t.boolean({
      description: 'Whether only another plan allows the change.',
      resolve: ({ fault }) => fault.extras.requiresUpgrade ?? false,
    }),
  }),
})

builder.objectType(Conflict, {
  name: 'Conflict',
  description: 'The state of the project or another request does not allow the change.',
  interfaces,
  fields: (t) => ({
    retryAfter: t.int({
      nullable: true,
      description: 'Seconds to wait before a retry. Null where waiting does not help.',
      resolve: ({ fault }) => {
        const seconds = fault.headers['Retry-After']
        return seconds === undefined ? null : Number(seconds)
      },
    }),
  }),
})

builder.objectType(QuotaExceeded, {
  name: 'QuotaExceeded',
  description: "The workspace's plan does not allow the change.",
  interfaces,
  fields: (t) => ({
    limit: t.int({
      description: 'Number that the plan allows.',
      resolve: ({ fault: { extras } }) => extras.limit ?? extras.maxAllowed ?? 0,
    }),
    used: t.int({
      nullable: true,
      description: 'Number that counts already. Null where the limit is for one request.',
      resolve: ({ fault }) => fault.extras.current ?? null,
    }),
    requested: t.int({
      description: 'Number that the mutation requested.',
      resolve: ({ fault }) => fault.extras.requested ?? 1,
    }),
    requiresUpgrade: t.boolean({
      description: 'Whether only another plan allows the change.',
      resolve: ({ fault }) => fault.extras.requiresUpgrade ?? false,
    }),
  }),
})

/** Its `current` object is a field that the area of the object adds. */
export const staleRevision = builder.objectType(StaleRevision, {
  name: 'StaleRevision',
  description: 'The object has changed since the caller read it. Nothing was overwritten.',
  interfaces,
  fields: (t) => ({
    currentRevision: t.field({
      type: 'Int',
      description: 'Revision that the object has now: the `expectedRevision` of the next attempt.',
      resolve: ({ fault }) => fault.extras.currentRevision ?? 0,
    }),
  }),
})
