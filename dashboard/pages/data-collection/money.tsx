import type { Column } from '../../parts/table.tsx'
import { dataCollection as texts } from '../../texts/collecting.ts'

/** An amount in US dollars; null is not known. */
export const moneyText = (amount: number | null) =>
  amount === null ? texts.unknownCost : texts.money(amount)

/** Amounts in US dollars. */
export function moneyColumn<Row>(name: string, of: (row: Row) => number): Column<Row> {
  return { name, value: of, show: (row) => moneyText(of(row)) }
}
