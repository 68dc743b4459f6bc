import { randomUUID } from 'node:crypto'
import {
  type GraphQLField,
  getNamedType,
  isCompositeType,
  isEnumType,
  isNonNullType,
} from 'graphql'
import type { Route } from '../../rest/routes.ts'
import { run } from '../../warehouse/run.ts'
import type { TestApi, TestWorkspace } from '../kit/api.ts'
import { makeAuditRows } from '../kit/audit-rows.ts'
import { connectSource } from '../kit/tracker/hits.ts'
import { contentUrl, makeContentRows } from './content-rows.ts'

/** The ids of a project with one row of everything, by the names of parameters. */
export type ProjectRows = Readonly<Record<string, string>> & { readonly projectId: string }

const rival = { name: 'Rival', domain: 'rival.com' }

/** Makes a project with one row of everything that an operation asks for by id. */
export async function makeProjectRows(
  api: TestApi,
  workspace: TestWorkspace,
  kind: 'regular' | 'pitch' = 'regular',
): Promise<ProjectRows> {
  const { db } = api
  const id = await workspace.project({ kind, competitors: [rival] })
  const competitor = await db.competitor.findFirstOrThrow({ where: { projectId: id } })
  await workspace.load(id, [{ topic: 'Headphones', products: [{ name: 'Box' }] }])
  await connectSource(db, id)
  const content = await makeContentRows(api, id)
  const audit = await makeAuditRows(api, id)
  await db.connection.createMany({
    data: [
      { projectId: id, kind: 'webAnalytics' },
      { projectId: id, kind: 'searchConsole', host: 'sc-domain:acme.com' },
    ],
  })
  const [answer] = await run(api.warehouse, {
    id: 'access-test',
    sql: `SELECT answer_id AS id, prompt_id AS prompt, product_id AS product
      FROM product_mentions WHERE project_id = {id:UUID}`,
    params: { id },
    row: ({ id: answerId, prompt, product }) => {
      const [promptId, productId] = [String(prompt), String(product)]
      return { answerId: String(answerId), promptId, productId }
    },
  })
  const topic = await db.topic.findFirstOrThrow({ where: { projectId: id, name: 'Headphones' } })
  const { id: importId } = await db.import.create({ data: { projectId: id, kind: 'answers' } })
  const { id: runId } = await db.run.create({
    data: { projectId: id, repetitions: 1, status: 'completed', deadlineAt: new Date() },
  })
  const { id: scheduleId } = await db.schedule.create({
    data: { projectId: id, name: 'Each day', cron: '0 6 * * *', timeZone: 'UTC', spreadMinutes: 0 },
  })
  const days = { since: new Date('2025-06-01'), openedOn: new Date('2025-06-07') }
  const monitor = { create: { id: randomUUID(), projectId: id, kind: 'visibility.fell' } }
  const facts = { kind: 'visibility.fell', level: 'warn', evidence: {}, rulesVersion: 1 }
  const { id: alarmId } = await db.alarm.create({
    data: { id: randomUUID(), project: { connect: { id } }, monitor, ...days, ...facts },
  })
  const { id: markId } = await db.mark.create({
    data: { id: randomUUID(), projectId: id, kind: 'other', title: 'Done', day: days.since },
  })
  const ids = {
    alarmId,
    markId,
    projectId: id,
    importId,
    runId,
    scheduleId,
    competitorId: competitor.id,
    topicId: topic.id,
    domain: 'acme.com',
  }
  return { ...ids, ...answer, ...content, ...audit }
}

/** What a GET cannot do without. */
const queryOf: Record<string, (rows: ProjectRows) => string> = {
  getSourceContent: () => `?url=${contentUrl}`,
  getPageMetrics: () => `?url=${contentUrl}`,
  getPromptRankings: ({ topicId }) => `?topicId=${topicId}`,
  investigate: () => '?metric=visibility',
  getConnectorSchema: () => '?dataset=visibility',
  getConnectorData: () => '?dataset=visibility',
}

/** The address of an operation on a project. */
export function pathOf({ operationId, path }: Route, rows: ProjectRows): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => rows[name] ?? 'none')
  return filled + (queryOf[operationId]?.(rows) ?? '')
}

/** The least selection that a type takes. */
export function selection(field: GraphQLField<unknown, unknown>): string {
  return isCompositeType(getNamedType(field.type)) ? ' { __typename }' : ''
}

/** A field of the graph with all that it requires, and the least selection unless one is given. */
export function callOf(
  field: GraphQLField<unknown, unknown>,
  known: Readonly<Record<string, string>>,
  selected = selection(field),
): string {
  const args = field.args
    .filter((arg) => isNonNullType(arg.type))
    .map((arg) => {
      const choices = getNamedType(arg.type)
      if (isEnumType(choices)) return `${arg.name}: ${choices.getValues()[0]?.name}`
      // `id` is the id of the field: `project(id:)` takes the id of a project.
      const name = arg.name === 'id' ? `${field.name}Id` : arg.name
      const value =
        { content: '', url: contentUrl, cron: '0 6 * * *', ...known }[name] ?? 'acme.com'
      return `${arg.name}: ${JSON.stringify(value)}`
    })
  return `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${selected}`
}
