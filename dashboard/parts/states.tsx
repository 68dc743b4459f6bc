import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '../texts/texts.ts'

export function Loading() {
  return (
    <p className="state" role="status">
      {t.loading}
    </p>
  )
}

/** The answer to a question, or what stands in its place until there is one. */
export function Answered<R>({
  query,
  children,
}: {
  readonly query: UseQueryResult<R, Error>
  readonly children: (data: R) => ReactNode
}) {
  const { data, error, refetch } = query
  if (data !== undefined) return children(data)
  if (!error) return <Loading />
  return (
    <div className="state" role="alert">
      <p>{t.failed}</p>
      <p className="lead">{error.message}</p>
      <button type="button" onClick={() => refetch()}>
        {t.retry}
      </button>
    </div>
  )
}
