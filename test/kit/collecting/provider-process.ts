import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { AskedProvider } from '../../../core/providers/request.ts'

/** What providers were asked. A question is named by its provider and its prompt. */
export interface Counts {
  /** Requests. */
  readonly asked: Readonly<Record<string, number>>
  /** Questions whose first request got a fault. */
  readonly failed: readonly string[]
}

/** All providers on the loopback interface, in a process of their own: fast enough for ten thousands of questions. */
export interface ProviderProcess {
  /** ALLOW_PRIVATE_HOSTS that reaches them. */
  readonly hosts: string
  baseUrl(provider: AskedProvider): string
  counts(): Promise<Counts>
  close(): void
}

const host = 'providers.test'
const script = fileURLToPath(new URL('./provider-main.ts', import.meta.url))

/** @param faultsOfThousand questions of a thousand whose first request gets a fault */
export async function startProviderProcess(faultsOfThousand = 0): Promise<ProviderProcess> {
  // Its channel ends it with us.
  const child = fork(script, [String(faultsOfThousand)], { execArgv: [] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    hosts: `${host}:80=127.0.0.1:${port}`,
    baseUrl: (provider) => `http://${host}/${provider}`,
    counts: async () => (await fetch(`http://127.0.0.1:${port}/counts`)).json(),
    close: () => void child.kill(),
  }
}
