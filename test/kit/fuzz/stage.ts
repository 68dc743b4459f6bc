import { parse, valueFromASTUntyped } from 'graphql'
import { makeProjectRows } from '../../access/calls.ts'
import type { TestApi, TestWorkspace } from '../api.ts'
import { makeMutationRows } from '../mutation-rows.ts'
import type { Known } from './values.ts'

/** A project with a row of everything, of which requests know the ids. Later requests have another one. */
export interface Stage extends Known {
  /** Keys with every right; each may ask 600 times a minute. */
  readonly keys: readonly string[]
  /** Arguments that an operation takes, as far as they are known. */
  argumentsOf(field: string): Readonly<Record<string, unknown>>
}

/** What ends a project, for which there is one that nothing else needs. */
const endings = new Set(['deleteProject', 'archiveProject', 'pauseProject', 'deactivateProject'])

function argumentsIn(text: string): Record<string, unknown> {
  if (text === '') return {}
  const [definition] = parse(`{ f(${text}) }`).definitions
  if (definition?.kind !== 'OperationDefinition') return {}
  const [field] = definition.selectionSet.selections
  const args = field?.kind === 'Field' ? (field.arguments ?? []) : []
  return Object.fromEntries(args.map((arg) => [arg.name.value, valueFromASTUntyped(arg.value)]))
}

/** @param foreign the ids of an earlier stage */
export async function makeStage(
  api: TestApi,
  workspace: TestWorkspace,
  foreign: Known['own'],
): Promise<Stage> {
  const rows = await makeProjectRows(api, workspace)
  const mutations = await makeMutationRows(api, workspace, rows.projectId)
  const keys = await Promise.all(
    Array.from({ length: 8 }, () =>
      workspace.key({ scopes: ['read', 'write', 'admin'], capabilities: ['prompt:draft'] }),
    ),
  )
  const place = { projectId: rows.projectId, workspaceId: workspace.id }
  const known = new Map(
    Object.entries(mutations.argumentsOf).map(([name, text]) => [name, argumentsIn(text)]),
  )
  const ids = [...known.values()].flatMap((args) => Object.entries(args))
  const named = ids.filter(
    (entry): entry is [string, string] => /Id$/.test(entry[0]) && typeof entry[1] === 'string',
  )
  return {
    own: { ...Object.fromEntries(named), ...rows, ...place },
    foreign: Object.keys(foreign).length > 0 ? foreign : { projectId: mutations.doomed },
    keys: keys.map(({ key }) => key),
    argumentsOf: (field) => ({
      ...known.get(field),
      ...place,
      ...(endings.has(field) ? { projectId: mutations.doomed } : {}),
    }),
  }
}
