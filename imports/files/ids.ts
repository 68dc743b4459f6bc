export { idOf } from '../../core/ids.ts'

/** What warehouse rows carry where an answer has no location. */
export const noId = '00000000-0000-0000-0000-000000000000'
