import { wordsOf } from '../kit/words.ts'

export const device = wordsOf('SearchDeviceKind', 'A kind of device from which people search.', {
  desktop: 'A desktop or laptop computer.',
  mobile: 'A phone.',
  tablet: 'A tablet.',
})
