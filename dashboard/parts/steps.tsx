import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { shown } from '../../web/share/numbers.ts'
import { t } from '../texts/texts.ts'
import type { Line } from './lines.tsx'
import { type Asked, Panel } from './panel.tsx'
import { saveLines } from './save.ts'

const Lines = lazy(async () => ({ default: (await import('./lines.tsx')).Lines }))

interface StepsProps<R, V extends object> {
  readonly title: string
  readonly sub?: string
  readonly asked: Asked<R, V>
  readonly steps: readonly string[]
  readonly series: readonly Line[]
}

/** A card with counts over time, one line for each name. */
export function Steps<R, V extends object>(props: StepsProps<R, V>) {
  const { title, sub, asked, steps, series } = props
  const spoken = series
    .map(({ name, values }) => {
      const all = values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
      return `${name} ${shown(all, 'count')}`
    })
    .join(', ')
  return (
    <Panel
      title={title}
      sub={sub}
      asked={asked}
      hasChart
      saveCsv={() => saveLines(title, steps, series)}
    >
      <Suspense fallback={<Skeleton h={260} />}>
        <Lines
          title={title}
          unit="count"
          labels={steps.map(t.dayOfYear)}
          series={series}
          spoken={spoken}
        />
      </Suspense>
    </Panel>
  )
}
