import { folder } from '../cli/folder/files.ts'
import { hash } from '../imports/answers/answers.ts'
import { hash as event } from '../ingest/event/event.ts'

export const demo = [folder, hash, event]
