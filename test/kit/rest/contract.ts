import operations from '../../../rest/contract/operations.json' with { type: 'json' }

/** One of the 91 operations that the service promises, served already or not yet. */
export interface ContractOperation {
  readonly number: number
  readonly operationId: string
  readonly method: string
  readonly path: string
  /** Names by place. A body's names are its top-level fields. */
  readonly parameters: Readonly<
    Partial<Record<'path' | 'query' | 'header' | 'body', readonly string[]>>
  >
  /**
   * The field that counts all rows, not only those of the page; null when the page block has no total.
   * Absent for an operation without pages or without a total.
   */
  readonly totals?: string | null
}

export const contractOperations: readonly ContractOperation[] = operations
