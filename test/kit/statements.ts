import { Writable } from 'node:stream'
import { pino } from 'pino'

/** A log to start an API with, and the names of the statements that its warehouse was asked since. */
export function countedStatements() {
  const names: string[] = []
  const sink = new Writable({
    write(line, _encoding, done) {
      const { msg, queryId } = JSON.parse(String(line)) as { msg?: string; queryId?: string }
      if (msg === 'query' && queryId !== undefined) names.push(queryId.split(':')[0] ?? '')
      done()
    },
  })
  return {
    log: pino({ level: 'debug' }, sink),
    /** The names since the last call. */
    taken: () => names.splice(0),
  }
}
