import { expect, test } from 'vitest'
import { questionForm, questionKey } from '../../core/question.ts'

test.each([
  ['Which shoes are best?', 'which shoes are best'],
  ['  which  SHOES\tare\nbest ', 'which shoes are best'],
  ['Which shoes are best？', 'which shoes are best'],
  ['Ｗｈｉｃｈ shoes are best…', 'which shoes are best'],
  ['“Which shoes are best?”', 'which shoes are best'],
  ['Quelles chaussures ?!', 'quelles chaussures'],
  ['¿Qué zapatos?', 'qué zapatos'],
  ['Is Brooks’ sole “soft”?', 'is brooks\' sole "soft'],
  ['Is Brooks\' sole "soft"', 'is brooks\' sole "soft'],
  ['WELCHE STRASSE?', 'welche strasse'],
  ['Welche Straße', 'welche strasse'],
  ['İSTANBUL', 'istanbul'],
  ['ıstanbul', 'istanbul'],
  ['ΠΟΙΟΣ;', 'ποιοσ'],
  ['cafe\u0301', 'café'],
  ['best\u00a0shoes\u200b', 'best shoes'],
  ['最好的鞋？', '最好的鞋'],
  ['C++ or C#?', 'c++ or c#'],
  ['?!', '?!'],
])('%j is the question %j', (text, form) => {
  expect(questionForm(text)).toBe(form)
})

test('accents, hyphens and words make other questions', () => {
  const texts = ['peche', 'pêche', 'péché', 'e-mail', 'email', 'shoe', 'shoes']
  expect(new Set(texts.map(questionKey)).size).toBe(7)
})
