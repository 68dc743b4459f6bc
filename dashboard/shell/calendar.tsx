import { DatePicker } from '@mantine/dates'
import '@mantine/dates/styles.css'
import { t } from '../texts/texts.ts'

/** The first and the last day; null while one is not chosen. */
export type Days = [string | null, string | null]

interface CalendarProps {
  readonly days: Days
  /** A day of the month that is shown first. */
  readonly shown: string
  onPick(days: Days): void
}

/** The days of a range. */
export function Calendar({ days, shown, onPick }: CalendarProps) {
  return (
    <DatePicker
      type="range"
      value={days}
      onChange={onPick}
      defaultDate={shown}
      maxDate={new Date().toISOString().slice(0, 10)}
      allowSingleDateInRange
      ariaLabels={t.shell.calendar}
    />
  )
}
