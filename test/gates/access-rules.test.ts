import { expect, test } from 'vitest'
import { plantingBuilder } from '../kit/graphql/planted.ts'

test('a field without an access rule does not build', () => {
  const builder = plantingBuilder()
  builder.queryField('unguarded', (t) =>
    t.boolean({ description: 'Planted.', resolve: () => true }),
  )
  expect(() => builder.toSchema()).toThrow('Query.unguarded has no access rule')
})
