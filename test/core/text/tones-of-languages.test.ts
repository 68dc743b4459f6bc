import { describe, expect, test } from 'vitest'
import { sentimentsOf } from '../../../core/text/answer-sentiment.ts'
import { languageOf } from '../../../core/text/languages/detect.ts'
import { compileBrands } from '../../../core/text/mentions.ts'
import { toneOf } from '../../../core/text/sentiment.ts'
import { lexiconOf, toneLanguages } from '../../../core/text/tone/lexicon.ts'

const brands = compileBrands(
  ['Acme', 'Bolt'].map((text) => ({
    id: text,
    isOwn: text === 'Acme',
    names: [{ text, caseSensitive: false }],
    domains: [],
  })),
)

/** `+`, `-` and `0` are tones; `?` is none. */
function signs(text: string): string {
  const found = brands.find(text)
  const scores = sentimentsOf(text, found, languageOf)
  const signed = { positive: '+', neutral: '0', negative: '-' }
  return found
    .map(({ brandId }, at) => {
      const score = scores[at]
      return `${brandId} ${score == null ? '?' : signed[toneOf(score)]}`
    })
    .toSorted()
    .join(', ')
}

const cases: readonly (readonly [string, [text: string, expected: string][]])[] = [
  [
    'German',
    [
      ['Acme ist zuverlässig und der Kundendienst hervorragend.', 'Acme +'],
      ['Acme ist nicht zuverlässig.', 'Acme -'],
      ['Ich empfehle Acme für kleine Betriebe.', 'Acme +'],
      ['Acme empfehle ich nicht.', 'Acme -'],
      ['Von Acme raten wir ab.', 'Acme -'],
      ['Acme ist besser als Bolt.', 'Acme +, Bolt -'],
      ['Im Vergleich zu Acme ist Bolt langsam und unzuverlässig.', 'Acme +, Bolt -'],
      ['Obwohl Acme teuer ist, ist es die beste Wahl für Vielflieger.', 'Acme +'],
      ['Acme ist günstig, aber unzuverlässig und veraltet.', 'Acme -'],
      ['Früher war Acme für seine Ausfälle bekannt.', 'Acme +'],
      ['Die Kritik an Acme wegen der Störungen ist unbegründet.', 'Acme 0'],
      [
        '## Zu vermeiden\n\n- Acme\n- Bolt\n\nDas sind die Anbieter mit den Namen.',
        'Acme -, Bolt -',
      ],
      ['Acme wurde 1998 in Berlin gegründet und hat 300 Mitarbeiter.', 'Acme 0'],
    ],
  ],
  [
    'French',
    [
      ['Acme est fiable et son service client est excellent.', 'Acme +'],
      ['Acme n’est pas fiable.', 'Acme -'],
      ['Je recommande Acme pour les petites entreprises.', 'Acme +'],
      ['Nous déconseillons Acme pour les voyages.', 'Acme -'],
      ['Acme est meilleure que Bolt.', 'Acme +, Bolt -'],
      ['Par rapport à Acme, Bolt est lente et peu fiable.', 'Acme +, Bolt -'],
      ['Même si elle est chère, Acme est le meilleur choix pour voyager.', 'Acme +'],
      ['Acme est rapide, mais peu fiable et hors de prix.', 'Acme -'],
      ['Autrefois, Acme était connue pour ses pannes.', 'Acme +'],
      ['On accuse Acme de ces retards, à tort.', 'Acme 0'],
      [
        '## À éviter\n\n- Acme\n- Bolt\n\nCe sont les noms des entreprises de la région.',
        'Acme -, Bolt -',
      ],
      ['Acme a été fondée à Lyon en 1998 et emploie 300 personnes.', 'Acme 0'],
    ],
  ],
  [
    'Spanish',
    [
      ['Acme es fiable y su atención al cliente es excelente.', 'Acme +'],
      ['Acme no es fiable.', 'Acme -'],
      ['Recomiendo Acme para las pequeñas empresas.', 'Acme +'],
      ['No recomendamos Acme para viajar.', 'Acme -'],
      ['Acme es mejor que Bolt para los viajes.', 'Acme +, Bolt -'],
      ['En comparación con Acme, Bolt es lento y poco fiable.', 'Acme +, Bolt -'],
      ['Aunque es caro, Acme es la mejor opción para viajar.', 'Acme +'],
      ['Acme es barato, pero poco fiable y anticuado.', 'Acme -'],
      ['Antiguamente Acme era conocido por sus caídas.', 'Acme +'],
      ['Algunos culpan a Acme de los retrasos, sin razón.', 'Acme 0'],
      [
        '## A evitar\n\n- Acme\n- Bolt\n\nEstos son los nombres de las empresas de la zona.',
        'Acme -, Bolt -',
      ],
      ['Acme se fundó en Madrid en 1998 y tiene 300 empleados.', 'Acme 0'],
    ],
  ],
  [
    'Italian',
    [
      ['Acme è affidabile e la sua assistenza è eccellente.', 'Acme +'],
      ['Acme non è affidabile per chi viaggia.', 'Acme -'],
      ['Consiglio Acme alle piccole imprese.', 'Acme +'],
      ['Sconsigliamo Acme a chi viaggia spesso.', 'Acme -'],
      ['Per i viaggi Acme è migliore di Bolt.', 'Acme +, Bolt -'],
      ['Rispetto a Acme, Bolt è lento e inaffidabile.', 'Acme +, Bolt -'],
      ['Anche se costa caro, Acme è la scelta migliore per viaggiare.', 'Acme +'],
      ['Acme è economico, ma inaffidabile e obsoleto.', 'Acme -'],
      ['In passato Acme era noto per i suoi disservizi.', 'Acme +'],
      ['Alcuni incolpano Acme dei ritardi, a torto.', 'Acme 0'],
      [
        '## Da evitare\n\n- Acme\n- Bolt\n\nQuesti sono i nomi delle aziende della zona.',
        'Acme -, Bolt -',
      ],
      ['Acme è stata fondata a Torino nel 1998 e ha 300 dipendenti.', 'Acme 0'],
    ],
  ],
  [
    'Portuguese',
    [
      ['A Acme é fiável e o seu apoio ao cliente é excelente.', 'Acme +'],
      ['A Acme não é fiável para quem viaja.', 'Acme -'],
      ['Recomendo a Acme às pequenas empresas.', 'Acme +'],
      ['Não recomendamos a Acme para viajar.', 'Acme -'],
      ['A Acme é melhor do que a Bolt.', 'Acme +, Bolt -'],
      ['Em comparação com a Acme, a Bolt é lenta e pouco fiável.', 'Acme +, Bolt -'],
      ['Embora seja cara, a Acme é a melhor escolha para viajar.', 'Acme +'],
      ['A Acme é barata, mas pouco fiável e ultrapassada.', 'Acme -'],
      ['Antigamente a Acme era conhecida pelas suas falhas.', 'Acme +'],
      ['Alguns culpam a Acme pelos atrasos, sem razão.', 'Acme 0'],
      [
        '## A evitar\n\n- Acme\n- Bolt\n\nEstes são os nomes das empresas da região.',
        'Acme -, Bolt -',
      ],
      ['A Acme foi fundada em Lisboa em 1998 e tem 300 trabalhadores.', 'Acme 0'],
    ],
  ],
  [
    'Dutch',
    [
      ['Acme is betrouwbaar en de klantenservice is uitstekend.', 'Acme +'],
      ['Acme is niet betrouwbaar.', 'Acme -'],
      ['Voor kleine bedrijven raad ik Acme aan.', 'Acme +'],
      ['Wij raden Acme af voor wie vaak reist.', 'Acme -'],
      ['Acme is beter dan Bolt.', 'Acme +, Bolt -'],
      ['Vergeleken met Acme is Bolt traag en onbetrouwbaar.', 'Acme +, Bolt -'],
      ['Hoewel het duur is, is Acme de beste keuze om te reizen.', 'Acme +'],
      ['Acme is goedkoop, maar onbetrouwbaar en verouderd.', 'Acme -'],
      ['Vroeger stond Acme bekend om zijn storingen.', 'Acme +'],
      ['Sommigen geven Acme de schuld van de vertraging, ten onrechte.', 'Acme 0'],
      [
        '## Te vermijden\n\n- Acme\n- Bolt\n\nDit zijn de namen van de bedrijven in de regio.',
        'Acme -, Bolt -',
      ],
      ['Acme is in 1998 in Utrecht opgericht en heeft 300 werknemers.', 'Acme 0'],
    ],
  ],
]

describe.each(cases)('an answer in %s', (_, sentences) => {
  test.each(sentences)('is rated by its clauses: %j', (text, expected) => {
    expect(signs(text)).toBe(expected)
  })
})

test.each([
  ['Japanese', 'Acme は最高です。サポートも速いです。'],
  ['Swedish', 'Acme är pålitligt och har utmärkt kundtjänst, men priset är högt.'],
  ['Polish', 'Acme jest niezawodne, a obsługa klienta działa bardzo szybko i sprawnie.'],
  ['Turkish', 'Acme güvenilir bir marka ve müşteri hizmetleri çok hızlı yanıt veriyor.'],
  ['Russian', 'Acme работает надёжно, и поддержка отвечает очень быстро.'],
])('an answer in %s has no tone', (_, text) => {
  expect(signs(text)).toBe('Acme ?')
})

test.each([
  [
    '| | Acme | Bolt |\n|---|---|---|\n| Support | slow and rude | quick and helpful |',
    'Acme -, Bolt +',
  ],
  [
    '| | Acme | Bolt |\n|---|---|---|\n| Cons | one window only | no app for the phone |',
    'Acme -, Bolt -',
  ],
  ['| Brand | Verdict |\n|---|---|\n| Acme | excellent |\n| Bolt | awful |', 'Acme +, Bolt -'],
])('a table is read by the column or the row that names the brand: %j', (text, expected) => {
  expect(signs(`These are the two that you asked for.\n\n${text}`)).toBe(expected)
})

test.each(toneLanguages)('no words of %s are both praise and blame', (language) => {
  const { positive, negative } = lexiconOf(language)
  const praise = new Set(Object.values(positive).flat())
  expect(
    Object.values(negative)
      .flat()
      .filter((word) => praise.has(word)),
  ).toEqual([])
})
