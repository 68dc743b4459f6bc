const plain = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const signed = new Intl.NumberFormat('en', { maximumFractionDigits: 1, signDisplay: 'exceptZero' })

/** A number with one decimal at most: "2.1", "1,200". */
export const decimal = (value: number): string => plain.format(value)

/** A change with one decimal at most: "+2.1". */
export const signedDecimal = (value: number): string => signed.format(value)
