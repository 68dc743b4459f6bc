import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../../schema/kit/context.ts'

const readinessMs = 2000

/** Whether every engine answers within two seconds: for a load balancer, without a key. */
export async function sendReadiness(
  response: ServerResponse,
  { db, warehouse }: Pick<Services, 'db' | 'warehouse'>,
  parts?: () => Readonly<Record<string, string>>,
): Promise<void> {
  const answers = (probe: Promise<unknown>) =>
    Promise.race([
      probe.then(
        () => true,
        () => false,
      ),
      sleep(readinessMs, false, { ref: false }),
    ])
  const [postgresql, clickhouse] = await Promise.all([
    answers(db.$queryRaw`SELECT 1`),
    answers(warehouse.ping()),
  ])
  const ready = postgresql && clickhouse
  const body = {
    status: ready ? 'ready' : 'not ready',
    engines: { postgresql, clickhouse },
    ...(parts ? { parts: parts() } : {}),
  }
  response.writeHead(ready ? 200 : 503, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(body))
}
