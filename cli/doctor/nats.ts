import { natsParams } from '../../core/nats-url.ts'
import { natsReport } from '../../ingest/nats/report.ts'
import { type Check, failed, ok, warning } from './problem.ts'

/** The servers of NATS_URL must have JetStream, and take messages of the size of an event. */
export async function inspectNats(urls: string): Promise<Check> {
  try {
    const { version, host, faults, bytes, messages, deadLetters } = await natsReport(urls)
    const place = `NATS ${version} at ${host}`
    const [fault] = faults
    if (fault) return failed('nats', `${place} ${fault.found}.`, fault.mend)
    const waiting = `${messages} messages wait, ${bytes} bytes`
    if (deadLetters > 0) {
      const found = `${place}: ${deadLetters} rows are not in the warehouse. ${waiting}.`
      const mend = 'Read the reasons in the stream SIGHTLINE_DEAD, and purge it afterwards.'
      return failed('nats', found, mend)
    }
    if ((natsParams(urls).replicas ?? 1) === 1) {
      const mend =
        'Run three servers and add `?replicas=3` to NATS_URL, or accept it: see docs/operating.md.'
      return warning('nats', `${place} keeps each event on one server. ${waiting}.`, mend)
    }
    return ok('nats', `${place}, ${waiting}`)
  } catch (error) {
    const mend = 'Start the servers, or correct NATS_URL. Until then trackers refuse events.'
    const why = (error as Error).message || 'no answer'
    return failed('nats', `The servers of NATS_URL do not answer: ${why}`, mend)
  }
}
