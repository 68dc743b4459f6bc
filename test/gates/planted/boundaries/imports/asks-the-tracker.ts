export { write } from '../ingest/writer.ts'
