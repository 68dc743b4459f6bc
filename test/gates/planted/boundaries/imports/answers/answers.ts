export { hash } from '../../ingest/event/event.ts'
