import type { PrivateHost } from '../../core/sites/private-hosts.ts'

const mostBytes = 262_144
const timeoutMs = 5_000

/**
 * Reads the JSON of a directory of keys the guarded way of audits: no private address, and no redirect. What it takes is
 * loaded with the first one.
 * @throws {Error}
 */
export async function readDirectory(
  url: string,
  privateHosts: readonly PrivateHost[],
): Promise<unknown> {
  const [{ createGuard }, { openChain }, { textOf }, { limits }] = await Promise.all([
    import('../../site/guard/guard.ts'),
    import('../../site/net/chain.ts'),
    import('../../site/net/body.ts'),
    import('../../site/net/limits.ts'),
  ])
  const chain = openChain(createGuard(privateHosts), { ...limits, totalMs: timeoutMs })
  try {
    const headers = { accept: 'application/http-message-signatures-directory+json' }
    const exchange = await chain.request(new URL(url), 'GET', headers)
    if (exchange.status !== 200) throw new Error(`the response has status ${exchange.status}`)
    const { text, isTooLong } = await textOf(exchange, mostBytes)
    if (isTooLong) throw new Error('the directory is too large')
    return JSON.parse(text)
  } finally {
    await chain.close()
  }
}
