import type { ReportUnit } from './content.ts'

/** What stands in place of a ratio without answers. */
const noAnswers = 'no answers'

/** Writes numbers for readers of a locale, with one decimal. */
export function numbersIn(locale: string) {
  const one = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
  const decimal = new Intl.NumberFormat(locale, one)
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
  const signed = new Intl.NumberFormat(locale, { ...one, signDisplay: 'exceptZero' })
  const formats: Record<ReportUnit, (value: number) => string> = {
    percent: (value) => `${decimal.format(value)}%`,
    // A true minus sign: the hyphen is narrower than the plus.
    points: (value) => signed.format(value).replace('-', '\u2212'),
    count: (value) => whole.format(value),
    position: (value) => decimal.format(value),
    score: (value) => decimal.format(value),
  }
  return (value: number | null, unit: ReportUnit): string =>
    value === null ? noAnswers : formats[unit](value)
}
