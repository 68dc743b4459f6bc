import { describe, expect, test } from 'vitest'
import { foreignWords } from '../../../core/text/languages/foreign-words.ts'
import { isExact } from '../../../core/text/match-modes.ts'
import { compileBrands } from '../../../core/text/mentions.ts'

const words = await foreignWords()

/** How often a text names a brand whose name nobody gave a mode. */
function times(name: string, text: string): number {
  const names = [{ text: name, caseSensitive: isExact(name, null), byLanguage: true }]
  const brands = [{ id: 'x', isOwn: false, names, domains: [] }]
  return compileBrands(brands, words).find(text)[0]?.occurrences ?? 0
}

const french = 'Pour votre téléphone, nous vous conseillons de comparer les offres.'
const spanish = 'Para el verano te recomendamos comparar los precios de varias tiendas.'
const dutch = 'Voor de winter raden wij je aan om de prijzen van de winkels te vergelijken.'
const portuguese = 'Para o seu telefone, recomendamos que você compare os preços das lojas.'
const german = 'Für den Winter empfehlen wir dir, die Preise der Läden zu vergleichen.'
const italian = 'Per il tuo telefono ti consigliamo di confrontare i prezzi dei negozi.'
const english = 'For your phone we recommend that you compare the prices of the shops.'

describe('a name that is a word of the language of the answer counts where it is spelled so', () => {
  test.each([
    ['Carrefour', `${french} Allez chez Carrefour, au prochain carrefour.`, 1],
    ['Leclerc', `${french} Leclerc ou leclerc`, 2],
    ['Zalando', `${spanish} Zalando y zalando`, 2],
    ['Zaras', `${spanish} Zaras y zaras`, 2],
    ['Claro', `${spanish} El operador Claro, claro que sí.`, 1],
    ['Claros', `${spanish} Los colores claros de Claros.`, 1],
    ['Bol', `${dutch} Bij Bol koop je een bol.`, 1],
    ['Hema', `${dutch} Bij Hema of hema.`, 2],
    ['Vivo', `${portuguese} A Vivo é melhor que um cabo vivo.`, 1],
    ['Vivos', `${portuguese} Os Vivos e os peixes vivos.`, 1],
    ['Worten', `${portuguese} Na Worten ou na worten.`, 2],
  ])('%s in %j: %i', (name, text, count) => {
    expect(times(name, text)).toBe(count)
  })
})

test.each([
  ['Carrefour', `${english} Carrefour or carrefour.`, 2],
  ['Claro', `${english} Claro, claro.`, 2],
  ['Claro', `${dutch} Claro of claro.`, 2],
  ['Bahn', `${german} Mit der Bahn, auf der Bahn, bahn.`, 3],
  ['Vero', `${italian} Vero, il vero.`, 2],
])(
  'elsewhere, and in languages without a dictionary, any case counts: %s in %j: %i',
  (...given) => {
    const [name, text, count] = given
    expect(times(name, text)).toBe(count)
  },
)

test('an English word counts in exact case in every language', () => {
  expect(times('Orange', `${french} Chez Orange, une orange`)).toBe(1)
  expect(times('Penny', `${german} Bei Penny, penny`)).toBe(1)
})

test.each([
  ['Carrefour', ['fr']],
  ['Claro', ['es', 'pt']],
  ['Sonos', ['fr', 'pt']],
  ['Journaux', ['fr']],
  ['Luces', ['es']],
  ['Boeken', ['nl']],
  ['Milhões', ['pt']],
  ['Été', ['fr']],
  ['Sony', []],
  ['Nike', []],
  ['Coolblue', []],
  ['Le Monde', []],
  ['', []],
])('%s is a word of %j', (name, languages) => {
  expect(words.languagesOf(name)).toEqual(languages)
})
