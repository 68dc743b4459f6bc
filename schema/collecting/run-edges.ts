import type { Run } from '../../prisma/generated/client.ts'
import { answersById } from '../../resolvers/answers/edges.ts'
import type { AnswerRow } from '../../resolvers/answers/whole.ts'
import {
  answerCounts,
  answersOfRuns,
  obtainedOf,
  runsOf,
  schedulesById,
} from '../../resolvers/collecting/edges.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { answerRow } from '../answers/answers.ts'
import { freshLoader, together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest } from '../kit/context.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { obtained } from '../kit/obtained.ts'
import { runType } from './runs.ts'
import { scheduleType } from './schedules.ts'

const answerCountOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids: readonly string[]) => answerCounts(db, ids)),
)
const scheduleOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids: readonly string[]) => schedulesById(db, ids)),
)
const runOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids: readonly string[]) => runsOf(db, ids)),
)

const obtainedLoader = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids: readonly string[]) => obtainedOf(db, ids)),
)

builder.prismaObjectField(runType, 'schedule', (t) =>
  t.field({
    type: scheduleType,
    nullable: true,
    description: 'Schedule that started the run; null for other runs, and once it is deleted.',
    resolve: ({ scheduleId }, _args, context) =>
      scheduleId === null ? null : scheduleOf(context).load(scheduleId),
  }),
)

interface Asked {
  readonly scope: ProjectScope
  readonly runId: string
}

interface Page {
  readonly rows: readonly AnswerRow[]
  readonly isCut: boolean
}

/** Pages of answers of several runs: one statement for the ids, and one for each part of the answers. */
async function pagesOf(
  asked: readonly Asked[],
  page: { readonly limit: number; readonly afterKey: readonly (string | number)[] },
): Promise<Page[]> {
  const [first] = asked
  if (first === undefined) return []
  const afterKey = page.afterKey.length === 0 ? undefined : page.afterKey
  const ids = await answersOfRuns(
    first.scope.db,
    asked.map(({ runId }) => runId),
    { limit: page.limit, afterKey },
  )
  const wanted = asked.flatMap(({ scope }, at) => (ids[at] ?? []).map((id) => ({ scope, id })))
  const found = (await answersById(wanted)).values()
  return asked.map((_run, at) => {
    const rows: AnswerRow[] = []
    const size = ids[at]?.length ?? 0
    let isCut = size === page.limit
    for (let i = 0; i < size; i++) {
      const answer = found.next().value ?? null
      // The response takes no more.
      if (answer instanceof Error) isCut = true
      else if (answer !== null) rows.push(answer)
    }
    return { rows, isCut }
  })
}

builder.prismaObjectField(runType, 'answers', (t) =>
  t.field(
    connectionField({
      type: connectionOf<AnswerRow, Page>(answerRow, {
        name: 'RunAnswer',
        description: 'A page of the answers of a run, newest first.',
        sortKey: ({ collectedAt, id }) => [collectedAt, id],
      }),
      description: 'Answers that reports show of the run, newest first.',
      size: { default: 10, max: 100 },
      resolve: async (run: Run, { limit, afterKey }, context, scope: ProjectScope) => {
        const page = { limit, afterKey: [...(afterKey ?? [])] as (string | number)[] }
        const asked: Asked = { scope, runId: run.id }
        const found = await together(context, 'Run.answers', asked, page, pagesOf)
        return { ...found, total: () => answerCountOf(context).load(run.id) }
      },
    }),
  ),
)

builder.objectField(answerRow, 'run', (t) =>
  t.field({
    type: runType,
    nullable: true,
    view: 'graph',
    description: 'Run that asked for the answer; null for an answer of another import.',
    resolve: ({ id }, _args, context) => runOf(context).load(id),
  }),
)

builder.objectField(answerRow, 'obtained', (t) =>
  t.field({
    type: obtained,
    view: 'graph',
    description: 'How the answer was obtained.',
    resolve: ({ id }, _args, context) => obtainedLoader(context).load(id),
  }),
)
