import type { ReportUnit } from '../../core/reports/content.ts'
import { fewAnswers } from '../../web/share/chart-option.ts'
import { shown } from '../../web/share/numbers.ts'
import type { ChangeFragment, SureFragment } from '../documents.ts'
import { t } from '../texts/texts.ts'

/** "34.1% to 52.4%"; empty for a number without an interval. */
export function rangeText(low: number | null, high: number | null, unit: ReportUnit): string {
  return low === null || high === null ? '' : t.sure.range(shown(low, unit), shown(high, unit))
}

const isFew = ({ denominator }: SureFragment) => denominator < fewAnswers

/** The unit of a difference: percent points for a percentage. */
const unitOfChange = (unit: ReportUnit): ReportUnit => (unit === 'percent' ? 'points' : unit)

/** "+2.1 points"; a true minus sign. */
export function changeText(change: number, unit: ReportUnit): string {
  const text = shown(change, 'points')
  return unitOfChange(unit) === 'points' ? t.change.points(text) : text
}

/** A change in words, and whether chance explains it. */
export function changeWords(
  change: Omit<ChangeFragment, ' $fragmentName'> | null | undefined,
  unit: ReportUnit,
): string {
  if (change?.change == null) return t.change.none
  if (change.change === 0) return t.change.same
  const sure = change.isSignificant
  const chance = sure === null ? t.change.unsure : sure ? t.change.real : t.change.chance
  const range = change.interval
    ? ` (${t.sure.range(shown(change.interval.low, 'points'), shown(change.interval.high, 'points'))})`
    : ''
  return `${t.change.by(changeText(change.change, unit))}${range}: ${chance}.`
}

interface FigureProps {
  readonly label: string
  readonly unit: ReportUnit
  readonly metric: SureFragment
  readonly words: string
  /** Absent where the page compares nothing. */
  readonly change?: ChangeFragment | null | undefined
}

/** One of the large numbers, with both intervals and its change. */
export function Figure(props: FigureProps) {
  const { label, unit, metric, words, change } = props
  const ranges = [
    [t.sure.like, rangeText(metric.low, metric.high, unit)],
    [t.sure.exactly, rangeText(metric.basketLow, metric.basketHigh, unit)],
  ] as const
  const few = metric.denominator > 0 && isFew(metric)
  const caveat = metric.caveat ? t.sure.caveats[metric.caveat] : undefined
  return (
    <li className={few ? 'tile few' : 'tile'}>
      <h2>{label}</h2>
      <p className="big">{shown(metric.value, unit)}</p>
      <p className="words">{words}</p>
      {metric.value !== null && (
        <dl className="ranges">
          {ranges.map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text || t.sure.unknown}</dd>
            </div>
          ))}
        </dl>
      )}
      {metric.value !== null && 'change' in props && (
        <p className="words">{changeWords(change, unit)}</p>
      )}
      {few && <p className="note">{t.sure.few(metric.denominator)}</p>}
      {!few && caveat && <p className="note">{caveat}</p>}
    </li>
  )
}

interface CountFigureProps {
  readonly label: string
  readonly value: string
  readonly words: string
}

/** A large number that is counted, not estimated: it has no interval. */
export function CountFigure({ label, value, words }: CountFigureProps) {
  return (
    <li className="tile">
      <h2>{label}</h2>
      <p className="big">{value}</p>
      <p className="words">{words}</p>
    </li>
  )
}
