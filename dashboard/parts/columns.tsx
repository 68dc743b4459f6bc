import type { ReactNode } from 'react'
import type { ReportUnit } from '../../core/reports/content.ts'
import { shown } from '../../web/share/numbers.ts'
import type { SureFragment } from '../documents.ts'
import { heldKey } from '../state/held.ts'
import type { Needing } from '../state/may.ts'
import { t } from '../texts/texts.ts'
import { Act, type ActProps } from './act.tsx'
import { rangeText, valueText } from './figures.tsx'
import type { Column } from './table.tsx'

/** A text; `show` where readers see more than the CSV, such as a link. */
export function textColumn<Row>(
  name: string,
  value: (row: Row) => string,
  show: (row: Row) => ReactNode = value,
): Column<Row> {
  return { name, value, show, isText: true }
}

/** A text of several words. */
export function longColumn<Row>(...text: Parameters<typeof textColumn<Row>>): Column<Row> {
  return { ...textColumn(...text), isLong: true }
}

/** A number as readers write it; null is an empty cell. */
export function countColumn<Row>(name: string, value: (row: Row) => number | null): Column<Row> {
  const show = (row: Row) => {
    const found = value(row)
    return found === null ? '' : shown(found, 'count')
  }
  return { name, value, show }
}

/** A button that changes the object of a row, or what stands in its place. */
export function actColumn<Row, V>(
  name: string,
  make: Needing,
  of: (row: Row) => ActProps<V> | string | false,
): Column<Row> {
  const show = (row: Row) => {
    const found = of(row)
    return typeof found === 'object' ? <Act {...found} /> : found
  }
  const held = (row: Row) => {
    const found = of(row)
    return typeof found === 'object' && found.held
      ? heldKey(found.document, found.variables)
      : undefined
  }
  return { name, make, show, held }
}

/** A moment. @param absent what is shown where there is none; by default an empty cell */
export function timeColumn<Row>(
  name: string,
  value: (row: Row) => string | null,
  absent: string | null = null,
): Column<Row> {
  const show = (row: Row) => {
    const found = value(row)
    return found === null ? absent : <time dateTime={found}>{t.moment(found)}</time>
  }
  return { name, value, show, isText: true }
}

export function ratioColumn<Row>(
  name: string,
  unit: ReportUnit,
  of: (row: Row) => Pick<SureFragment, 'value'> & Partial<Pick<SureFragment, 'denominator'>>,
): Column<Row> {
  const show = (row: Row) => {
    const { value, denominator = 0 } = of(row)
    return valueText({ value, denominator }, unit)
  }
  return { name, value: (row) => of(row).value, show }
}

/** The interval for questions like these. */
export function intervalColumn<Row>(
  unit: ReportUnit,
  of: (row: Row) => Pick<SureFragment, 'value'> & Partial<SureFragment>,
): Column<Row> {
  const text = (row: Row) => rangeText(of(row).low ?? null, of(row).high ?? null, unit)
  return { name: t.columns.interval, value: text, show: text }
}
