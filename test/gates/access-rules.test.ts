import { expect, test } from 'vitest'
import '../../schema/index.ts'
import { builder } from '../../schema/kit/builder.ts'

test('a field without an access rule does not build', async () => {
  builder.queryField('unguarded', (t) =>
    t.boolean({ description: 'Planted.', resolve: () => true }),
  )
  expect(() => builder.toSchema()).toThrow('Query.unguarded has no access rule')
})
