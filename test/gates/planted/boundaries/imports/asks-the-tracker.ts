export { write } from '../ingest/writer/writer.ts'
