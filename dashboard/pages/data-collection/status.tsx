import { Progress } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { DataCollectionQuery } from '../../documents.ts'
import { CountFigure, Figures } from '../../parts/figures.tsx'
import { dataCollection as texts } from '../../texts/collecting.ts'
import { t } from '../../texts/texts.ts'
import { endedOf, isOpen, sumOf } from './runs.tsx'
import { zoneOf } from './times.ts'

type Found = NonNullable<DataCollectionQuery['project']>

interface Summary {
  readonly state: string
  readonly words: string
  readonly look: keyof typeof looks
}

const looks = {
  good: <IconCircleCheck color="var(--mantine-color-teal-text)" aria-hidden />,
  bad: <IconAlertTriangle color="var(--mantine-color-orange-text)" aria-hidden />,
  none: undefined,
}

/** Is all well? The most urgent thing decides. */
function summaryOf({ answerSources, schedules, runs }: Found, zone: string): Summary {
  const sources = answerSources?.nodes ?? []
  const all = schedules?.nodes ?? []
  const active = all.filter(({ enabled }) => enabled)
  const [run] = runs?.nodes ?? []
  const asked = run ? sumOf(run, (counts) => counts.asked) : 0
  const failed = run ? sumOf(run, (counts) => counts.failed) : 0
  const attention = (words: string): Summary => ({ state: texts.attention, words, look: 'bad' })
  if (sources.length === 0 && (all.length > 0 || !run)) {
    return { state: texts.noKeyYet, words: texts.addKeyFirst, look: 'none' }
  }
  const refused = sources.find(({ refusedAt }) => refusedAt)
  if (refused) return attention(texts.refusedKey(refused.providerName))
  const broken = active.find(({ fault }) => fault)
  if (broken) return attention(texts.scheduleFailed(broken.name))
  if (run && isOpen(run)) {
    const words = texts.runningNow(endedOf(run), asked)
    return { state: t.states[run.status], words, look: 'none' }
  }
  if (failed > 0) return attention(texts.failedOf(failed, asked))
  if (!run && all.length === 0) {
    return { state: texts.noScheduleYet, words: texts.addScheduleNext, look: 'none' }
  }
  if (!run) return { state: texts.nothingYet, words: '', look: 'none' }
  const answered = sumOf(run, (counts) => counts.answered)
  return {
    state: active.length === 0 && all.length > 0 ? texts.allPaused : texts.allWell,
    words: texts.lastRun(texts.momentIn(run.createdAt, zone), answered, asked),
    look: active.length === 0 && all.length > 0 ? 'none' : 'good',
  }
}

function Spent({ of, cap }: { readonly of: number; readonly cap: number }) {
  const share = Math.min(100, (100 * of) / cap)
  return <Progress value={share} color={share >= 90 ? 'orange' : 'indigo'} mt="xs" aria-hidden />
}

function Spending({
  label,
  spent,
  cap,
}: {
  readonly label: string
  readonly spent: number
  readonly cap: number | null
}) {
  return (
    <CountFigure
      label={label}
      value={texts.money(spent)}
      words={cap === null ? texts.noCap : texts.ofCap(spent, cap)}
    >
      {cap ? <Spent of={spent} cap={cap} /> : null}
    </CountFigure>
  )
}

/** Is data coming, when does more come, and what does it cost? */
export function Status({ found }: { readonly found: Found }) {
  const { spending, schedules } = found
  const [next] = (schedules?.nodes ?? [])
    .flatMap(({ enabled, nextRunAt, name, timeZone }) =>
      enabled && nextRunAt ? [{ at: nextRunAt, name, timeZone }] : [],
    )
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
  const { state, words, look } = summaryOf(found, zoneOf(schedules?.nodes ?? []))
  return (
    <Figures>
      <CountFigure label={texts.status} value={state} words={words} icon={looks[look]} isText />
      <CountFigure
        label={texts.next}
        value={next ? texts.soon(next.at, next.timeZone) : texts.noNext}
        words={next ? texts.times(next.name, next.timeZone) : ''}
        isText
      />
      <Spending label={texts.today} spent={spending.today} cap={spending.dayCap} />
      <Spending label={texts.month} spent={spending.thisMonth} cap={spending.monthCap} />
    </Figures>
  )
}
