// None of the npm packages that read prices (price-parser, parse-price, parsecurrency) is kept up, and all guess
// where this refuses. The signs of currencies come with Node.js, which has them from CLDR.

export interface Price {
  readonly amount: number
  /** ISO 4217; null where the text names no currency, or a sign that several share. */
  readonly currency: string | null
}

const longestPrice = 40

/** An amount, with what stands before and behind it; a dash that stands for no cents goes. */
const around = /^(\D*?)\s*(\d(?:[\d.,' ’]*\d)?)(?:[.,][-–—]+)?\s*(\D*)$/

const amounts = [
  // 1,299.00 or 1.299,00 or 1'299.00 or 1 299,00: thousands behind one sign, cents behind another
  /^(?<whole>[1-9]\d{0,2}([,.' ’])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](?<cents>\d{1,2}))?$/,
  // 1,29,999.00, as in India
  /^(?<whole>[1-9]\d?(?:,\d{2})+,\d{3})(?:\.(?<cents>\d{1,2}))?$/,
  /^(?<whole>\d+)(?:[.,](?<cents>\d+))?$/,
]

function amountOf(text: string): number | null {
  for (const pattern of amounts) {
    const { whole, cents = '0' } = pattern.exec(text)?.groups ?? {}
    if (whole !== undefined) return Number(`${whole.replaceAll(/\D/g, '')}.${cents}`)
  }
  return null
}

/**
 * Codes and signs in lower case. A sign of several currencies has its usual meaning in English: `$` is the
 * US dollar. A sign without a usual meaning, such as `kr`, gives null.
 * @see https://cldr.unicode.org/translation/currency-names-and-symbols/currency-symbols-and-names
 */
function readCurrencies(): Map<string, string | null> {
  const codes = Intl.supportedValuesOf('currency')
  const signOf = (currency: string, currencyDisplay: 'symbol' | 'narrowSymbol') => {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay })
    const sign = format.formatToParts(0).find(({ type }) => type === 'currency')
    return sign?.value.toLowerCase() ?? currency
  }
  const currencies = new Map<string, string | null>([['us$', 'USD']])
  for (const code of codes) {
    const sign = signOf(code, 'narrowSymbol')
    // A single letter is more often a unit than the sign of a currency.
    if (!/^[a-z]$/.test(sign)) currencies.set(sign, currencies.has(sign) ? null : code)
  }
  for (const code of codes) {
    currencies.set(signOf(code, 'symbol'), code).set(code.toLowerCase(), code)
  }
  return currencies.set('', null)
}

let currencies: Map<string, string | null> | undefined

/** Undefined for what names no currency; null for nothing, and for a sign that several share. */
function currencyOf(text: string): string | null | undefined {
  currencies ??= readCurrencies() // takes some milliseconds, so not before it is needed
  return currencies.get(text.toLowerCase())
}

/** `$129 CAD`: the code says which dollar. Two that disagree name none. */
function agreed(before: string, after: string): string | null {
  const [first, second] = [currencyOf(before) ?? null, currencyOf(after) ?? null]
  if (first === null || second === null || first === second) return first ?? second
  const [isCode, isCodeToo] = [before, after].map((text) => /^[a-z]{3}$/i.test(text))
  if (isCode === isCodeToo) return null
  return isCode ? first : second
}

/**
 * Reads a price as shops show it: `$129.99`, `1.299,00 €`, `£20`, `CHF 1'299.–`, `449.00`. Three digits behind one
 * separator are thousands.
 * @returns null for all that is not one amount, with its currency or without: a range, a rate, words
 */
export function parsePrice(text: string): Price | null {
  if (text.length > longestPrice) return null
  // NFKC turns no-break spaces and full-width forms into plain ones.
  const [, before = '', digits = '', after = ''] = around.exec(text.normalize('NFKC').trim()) ?? []
  const amount = amountOf(digits)
  if (amount === null || currencyOf(before) === undefined) return null
  if (currencyOf(after) === undefined) return null
  return { amount, currency: agreed(before, after) }
}
