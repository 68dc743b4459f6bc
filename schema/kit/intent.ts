import { intentCategories } from '../../core/prompt-input.ts'
import { builder } from './builder.ts'

const intentMeanings = {
  informational: 'The person wants to learn something.',
  commercial: 'The person compares products before buying.',
  transactional: 'The person wants to buy or do something.',
  navigational: 'The person looks for a certain site.',
}

export const intentCategory = builder.enumType('IntentCategory', {
  description: 'The intent of a person who asks a prompt.',
  values: Object.fromEntries(
    intentCategories.map((name) => [name, { description: intentMeanings[name] }]),
  ) as Record<keyof typeof intentMeanings, { description: string }>,
})
