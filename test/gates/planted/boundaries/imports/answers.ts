export { hash } from '../ingest/event.ts'
