import { expect, test } from 'vitest'
import { sentimentsOf } from '../../../core/text/answer-sentiment.ts'
import { compileBrands } from '../../../core/text/mentions.ts'
import { toneOf } from '../../../core/text/sentiment.ts'
import type { ToneLanguage } from '../../../core/text/tone/lexicon.ts'

/** Who loses a comparison is blamed, and a mended fault is praise: by kind, with counter-cases, written before they ran. */
const brands = compileBrands(
  ['Acme', 'Bolt'].map((text) => ({
    id: text,
    isOwn: text === 'Acme',
    names: [{ text, caseSensitive: false }],
    domains: [],
  })),
)

/** `+`, `-` and `0` are tones of Acme; `?` is none. */
function signOfAcme(text: string, language: ToneLanguage): string {
  const found = brands.find(text)
  const score = sentimentsOf(text, found, () => language)[
    found.findIndex(({ brandId }) => brandId === 'Acme')
  ]
  return score == null ? '?' : { positive: '+', neutral: '0', negative: '-' }[toneOf(score)]
}

/** By the tone of a reader; several where readers may differ. Texts of two words beside the names count as English. */
const cases: Record<ToneLanguage, Record<'-' | '+' | '0?' | '-0?' | '+0?', string[]>> = {
  en: {
    '-': [
      'Bolt is better than Acme.',
      'Bolt is faster than the Acme.',
      'Bolt beats Acme in every test.',
      'Bolt outperforms Acme.',
      'I recommend Bolt over Acme.',
      'Bolt is far superior to Acme.',
      'Compared with Acme, Bolt is a bargain.',
      'Acme has not fixed the crashes.',
      'Acme never fixed the broken hinge.',
      'Acme did not fix the bugs.',
      'Acme has yet to fix the crashes.',
      'The crashes of Acme have not been fixed.',
      'The bugs of Acme were never fixed.',
      'Acme has a fixed rate and hidden fees.',
    ],
    '+': [
      'Acme is better than Bolt.',
      'Bolt is slower than Acme.',
      'Bolt is not better than Acme.',
      'Nothing is better than Acme.',
      'There is no better choice than Acme.',
      'Acme fixed the hinge that broke.',
      'Acme fixes the crashes of earlier versions.',
      'Acme has solved the problem of lost passwords.',
      'The crashes of Acme have been fixed.',
      'Acme was slow, but that has been fixed.',
      'The Acme Two is better than the Acme One.',
    ],
    '0?': [
      'Bolt is as good as Acme.',
      'Bolt is a good alternative to Acme.',
      'Bolt is a good choice other than Acme.',
      'Bolt is better known than liked, and Acme is a company from Ohio.',
    ],
    '-0?': ['Acme promises to fix the crashes.', 'The bugs of Acme must be fixed.'],
    '+0?': ['Acme protects you from breaches.'],
  },
  de: {
    '-': [
      'Bolt ist besser als Acme.',
      'Bolt ist zuverlässiger als die Acme.',
      'Bolt übertrifft Acme in jedem Test.',
      'Im Vergleich zu Acme ist Bolt hervorragend.',
      'Acme hat die Abstürze nicht behoben.',
      'Die Störungen bei Acme sind noch nicht behoben.',
    ],
    '+': [
      'Acme ist besser als Bolt.',
      'Bolt ist nicht besser als Acme.',
      'Acme hat die Abstürze behoben.',
      'Acme behebt die Fehler der ersten Version.',
      'Die Störungen bei Acme wurden behoben.',
    ],
    '0?': ['Bolt ist genauso gut wie Acme.', 'Bolt ist eine gute Alternative zu Acme.'],
    '-0?': ['Die Fehler bei Acme müssen noch behoben werden.'],
    '+0?': ['Acme schützt vor Betrug.'],
  },
  fr: {
    '-': [
      'Bolt est meilleure que Acme.',
      'Bolt est plus fiable qu’Acme.',
      'Bolt surpasse Acme dans tous les tests.',
      'Par rapport à Acme, Bolt est excellente.',
      'Acme n’a pas corrigé les pannes.',
      'Les pannes d’Acme n’ont pas été corrigées.',
    ],
    '+': [
      'Acme est meilleure que Bolt.',
      'Bolt n’est pas meilleure que Acme.',
      'Acme a corrigé les pannes.',
      'Les pannes d’Acme ont été corrigées.',
    ],
    '0?': [
      'Bolt est aussi fiable que Acme.',
      'Bolt est une bonne alternative à Acme.',
      'Bolt est au moins aussi fiable que Acme.',
    ],
    '-0?': ['Les pannes d’Acme doivent être corrigées.'],
    '+0?': ['Acme protège contre la fraude.'],
  },
  es: {
    '-': [
      'Bolt es mejor que Acme.',
      'Bolt es más fiable que Acme.',
      'Bolt supera a Acme en todas las pruebas.',
      'En comparación con Acme, Bolt es excelente.',
      'Acme no ha corregido los fallos.',
      'Los fallos de Acme no han sido corregidos.',
    ],
    '+': [
      'Acme es mejor que Bolt.',
      'Bolt no es mejor que Acme.',
      'Acme ha corregido los fallos.',
      'Los fallos de Acme fueron corregidos.',
    ],
    '0?': ['Bolt es tan fiable como Acme.', 'Bolt es una buena alternativa a Acme.'],
    '-0?': ['Los fallos de Acme deben ser corregidos.'],
    '+0?': ['Acme protege contra el fraude.'],
  },
  it: {
    '-': [
      'Nei nostri test Bolt è migliore di Acme.',
      'Bolt è più affidabile di Acme.',
      'Bolt batte Acme in tutte le prove.',
      'Rispetto a Acme, per i viaggi Bolt è eccellente.',
      'Acme non ha risolto i guasti.',
      'I guasti di Acme non sono stati risolti.',
    ],
    '+': [
      'Nei nostri test Acme è migliore di Bolt.',
      'Bolt non è migliore di Acme.',
      'Acme ha risolto i guasti.',
      'I guasti di Acme sono stati risolti.',
    ],
    '0?': ['Bolt è affidabile come Acme.', 'Bolt è una buona alternativa a Acme.'],
    '-0?': ['I guasti di Acme devono essere risolti.'],
    '+0?': ['Acme protegge contro le frodi.'],
  },
  pt: {
    '-': [
      'Bolt é melhor do que Acme.',
      'Bolt é mais fiável que a Acme.',
      'Bolt supera Acme em todos os testes.',
      'Em comparação com Acme, Bolt é excelente.',
      'A Acme não corrigiu as falhas.',
      'As falhas da Acme não foram corrigidas.',
    ],
    '+': [
      'Acme é melhor do que Bolt.',
      'Bolt não é melhor do que Acme.',
      'A Acme corrigiu as falhas.',
      'As falhas da Acme foram corrigidas.',
    ],
    '0?': ['Bolt é tão fiável como Acme.', 'Bolt é uma boa alternativa à Acme.'],
    '-0?': ['As falhas da Acme devem ser corrigidas.'],
    '+0?': ['A Acme protege contra a fraude.'],
  },
  nl: {
    '-': [
      'Bolt is beter dan Acme.',
      'Bolt is betrouwbaarder dan Acme.',
      'Bolt overtreft Acme in elke test.',
      'Vergeleken met Acme is Bolt uitstekend.',
      'Acme heeft de storingen niet verholpen.',
      'De storingen bij Acme zijn nog niet opgelost.',
    ],
    '+': [
      'Acme is beter dan Bolt.',
      'Bolt is niet beter dan Acme.',
      'Acme heeft de storingen verholpen.',
      'De storingen bij Acme zijn opgelost.',
    ],
    '0?': ['Bolt is even betrouwbaar als Acme.', 'Bolt is een goed alternatief voor Acme.'],
    '-0?': ['De storingen bij Acme moeten nog worden opgelost.'],
    '+0?': ['Acme beschermt tegen fraude.'],
  },
}

test.each(
  Object.entries(cases).flatMap(([language, byTone]) =>
    Object.entries(byTone).flatMap(([right, texts]) =>
      texts.map((text) => [language as ToneLanguage, text, right] as const),
    ),
  ),
)('%s: %s', (language, text, right) => {
  expect(right).toContain(signOfAcme(text, language))
})
