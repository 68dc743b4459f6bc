import { useState } from 'react'
import { notifyFailure } from './notify.ts'

/** Lists up to this length are read whole when a reader searches or sorts them. */
const longest = 5000

interface FirstRows<Row> {
  readonly rows: readonly Row[]
  readonly total?: number | null | undefined
  readonly whole?: () => Promise<readonly Row[]>
}

/** The first rows of a list, and all of them once the reader searches, sorts or asks for them. */
export function useWhole<Row>({ rows, total, whole }: FirstRows<Row>) {
  const [read, setRead] = useState<{ of: readonly Row[]; all?: readonly Row[] }>()
  // Rows of another date range or filter are another list.
  const isOfNow = read?.of === rows
  const isRest = whole && total && total > rows.length && total <= longest && !isOfNow
  const onRest = () => {
    setRead({ of: rows })
    whole?.().then(
      (all) => setRead({ of: rows, all }),
      (error: unknown) => {
        setRead(undefined)
        notifyFailure(error)
      },
    )
  }
  return {
    rows: (isOfNow && read.all) || rows,
    onRest: isRest ? onRest : undefined,
    isReading: isOfNow && !read.all,
  }
}
