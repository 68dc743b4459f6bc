import { count } from '../../../web/share/numbers.ts'

/** Texts about the definitions of visibility. */
export const definitions = {
  title: 'Visibility as other tools count it',
  table: 'Definitions',
  lead: 'The same answers, counted by the definitions of different tools. The first is the one on this page.',
  definition: 'Definition',
  value: 'Value',
  counted: 'Counted',
  countedOf: (numerator: number, denominator: number) =>
    `${Number.isInteger(numerator) ? count(numerator) : numerator.toFixed(2)} of ${count(denominator)}`,
  meaning: 'What it counts',
  usedBy: 'Used by',
}
