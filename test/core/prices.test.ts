import { describe, expect, test } from 'vitest'
import { parsePrice } from '../../core/prices.ts'

describe('a price', () => {
  test.each([
    ['$129.99', 129.99, 'USD'],
    ['1.299,00 €', 1299, 'EUR'],
    ['£20', 20, 'GBP'],
    ['€1.299', 1299, 'EUR'],
    ['1 299,00 €', 1299, 'EUR'],
    ['1\u00a0299,00\u00a0€', 1299, 'EUR'],
    ['1\u202f299 €', 1299, 'EUR'],
    ["CHF 1'299.–", 1299, 'CHF'],
    ['CHF 1’299.50', 1299.5, 'CHF'],
    ['19,- €', 19, 'EUR'],
    ['1,234,567.89 usd', 1234567.89, 'USD'],
    ['₹1,29,999', 129999, 'INR'],
    ['￥１２，８００', 12800, 'JPY'],
    ['US$ 5', 5, 'USD'],
    ['CA$20', 20, 'CAD'],
    ['$20 CAD', 20, 'CAD'],
    ['R$ 1.299,90', 1299.9, 'BRL'],
    ['89,90 zł', 89.9, 'PLN'],
    ['12 990 Kč', 12990, 'CZK'],
    ['399 kr', 399, null],
    ['449.00', 449, null],
    ['99.5', 99.5, null],
    ['0.999', 0.999, null],
    ['0', 0, null],
    ['€5 $', 5, null],
  ])('%s is %d of %s', (text, amount, currency) => {
    expect(parsePrice(text)).toEqual({ amount, currency })
  })

  test.each([
    '',
    'Free',
    '$',
    'from $99',
    '$99–$129',
    '$99 - $129',
    '$9.99/month',
    '-$5',
    '1,299,00',
    '1.2.3',
    '12 L',
    '5 stars',
    '1e+21',
    `$${'9'.repeat(50)}`,
  ])('%j is none', (text) => {
    expect(parsePrice(text)).toBeNull()
  })
})
