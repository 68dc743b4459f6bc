import { Link } from 'wouter'
import { shown } from '../../web/share/numbers.ts'
import type { StandingQuery } from '../documents.ts'
import { textColumn } from '../parts/columns.tsx'
import { changeText, changeWords } from '../parts/figures.tsx'
import { type Asked, type Column, Part } from '../parts/table.tsx'
import { pathOf, useAddress } from '../state/address.ts'
import { t } from '../texts/texts.ts'

type Investigation = NonNullable<NonNullable<StandingQuery['project']>['investigate']>
type Driver = Investigation['drivers'][number]

/** Rows of other keys together, and answers without a topic or a place. */
const summaries = ['other', 'none']
const shownDrivers = 8

/** What moved the metric most, the largest part first. */
function largestOf(drivers: readonly Driver[]): Driver[] {
  return drivers
    .filter(({ key, contribution }) => contribution !== 0 && !summaries.includes(key))
    .toSorted((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
    .slice(0, shownDrivers)
}

const percentOf = (value: number | null) => (value === null ? '' : shown(value, 'percent'))

function columnsOf(linkOf: (prompt: string) => string): readonly Column<Driver>[] {
  return [
    textColumn(
      t.changes.what,
      ({ label }) => label,
      ({ dimension, key, label }) =>
        dimension === 'prompt' ? <Link href={linkOf(key)}>{label}</Link> : label,
    ),
    textColumn(t.changes.kind, ({ dimension }) => t.changes.kinds[dimension]),
    {
      name: t.changes.part,
      value: ({ contribution }) => contribution,
      show: ({ contribution }) => changeText(contribution, 'percent'),
    },
    {
      name: t.changes.before,
      value: ({ previous }) => previous,
      show: ({ previous }) => percentOf(previous),
    },
    {
      name: t.changes.now,
      value: ({ current }) => current,
      show: ({ current }) => percentOf(current),
    },
  ]
}

interface ChangesProps {
  readonly project: string
  readonly found: Investigation
  readonly asked: Asked<StandingQuery, { project: string }>
}

/** What changed most: the change of visibility in words, what made it, and answers that show it. */
export function Changes({ project, found, asked }: ChangesProps) {
  const { link } = useAddress()
  const { current, previous } = found.metrics
  if (current?.value == null || previous?.value == null) return null
  const linkOf = (prompt: string) => link(pathOf(project, 'asked', prompt))
  const { evidence } = found
  return (
    <Part
      title={t.changes.title}
      lead={`${t.changes.fromTo(percentOf(previous.value), percentOf(current.value))} ${changeWords(found, 'percent')}`}
      asked={asked}
      columns={columnsOf(linkOf)}
      rows={largestOf(found.drivers)}
      keyOf={({ dimension, key }) => `${dimension} ${key}`}
      after={
        evidence.length > 0 && (
          <>
            <h3>{t.changes.evidence}</h3>
            <ul>
              {evidence.slice(0, 3).map(({ answer, prompt, platform, date, excerpt }) => (
                <li key={answer?.id ?? excerpt}>
                  <Link href={linkOf(prompt.id)}>{prompt.text}</Link>{' '}
                  {t.changes.saidBy(platform.displayName, date)} “{excerpt}”
                </li>
              ))}
            </ul>
          </>
        )
      }
    />
  )
}
