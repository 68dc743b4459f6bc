import { expect } from 'vitest'
import type { TestApi } from './api.ts'

/** An answer of GraphQL to one question. */
export interface GraphAnswer {
  readonly data: Record<string, Record<string, unknown>>
  readonly errors?: readonly {
    readonly message: string
    readonly extensions: { code: string; details?: { fieldErrors: Record<string, string[]> } }
  }[]
}

/** Asks GraphQL as one key, and gives the whole answer. */
export function asking(api: TestApi, key: () => string) {
  return async (text: string, as = key()): Promise<GraphAnswer> =>
    (await (await api.graphql(text, as)).json()) as GraphAnswer
}

/** The problem that a mutation answers with, as `withProblemFragments` asks for it. */
export interface MutationProblem {
  readonly __typename: string
  readonly code: string
  readonly message: string
  readonly fields?: readonly { readonly path: string | null; readonly message: string }[]
  readonly currentRevision?: number
}

/** The first problem among the answers of mutations. */
export function problemIn(data: object | null | undefined): MutationProblem | undefined {
  return Object.values(data ?? {}).find(
    (answer) => typeof answer?.__typename === 'string' && typeof answer.code === 'string',
  )
}

/** The code of the first problem or error, with the fields that it names. */
export function faultIn({ data, errors }: Partial<GraphAnswer>): string {
  const problem = problemIn(data)
  if (problem) {
    return [problem.code, ...new Set(problem.fields?.map(({ path }) => path))].join(' ')
  }
  const [error] = errors ?? []
  if (!error) return 'none'
  const { code, details } = error.extensions
  return [code, ...Object.keys(details?.fieldErrors ?? {})].join(' ')
}

/** The changes to one project: mutations, and the trail that they leave. */
export function changesOf(ask: (text: string) => Promise<GraphAnswer>, project: () => string) {
  const callOf = (name: string, args: string) =>
    `${name}(projectId: "${project()}"${args && `, ${args}`})`
  return {
    /** One change: its outcome, and the fields of the project that the test reads afterwards. */
    async change(name: string, args = '', after = 'id') {
      const fields = `subjectId changed needsReanalysis project { ${after} }`
      const answer = await ask(`mutation { ${callOf(name, args)} { ${fields} } }`)
      expect(faultIn(answer)).toBe('none')
      return answer.data[name]
    },

    /** The fault of a change, as `faultIn` writes it. */
    async faultOf(name: string, args: string) {
      return faultIn(await ask(`mutation { ${callOf(name, args)} { changed } }`))
    },

    /** The entries of the project's audit trail, the newest first, without its creation. */
    async trail(): Promise<unknown[]> {
      const entries = 'nodes { action subjectType subjectId before after userId keyId }'
      const { data } = await ask(`{ project(id: "${project()}") { auditTrail { ${entries} } } }`)
      const page = data.project?.auditTrail as { nodes: { action: string }[] } | undefined
      return (page?.nodes ?? []).filter(({ action }) => action !== 'project.create')
    },
  }
}
