import { baseUrlOf, type Settings } from './settings.ts'

const loopback = /^(localhost|127(?:\.\d+){3}|\[::1\])$/

export const isLoopback = (hostname: string): boolean => loopback.test(hostname)

/**
 * Why people cannot connect AI clients by signing in; undefined where they can. Codes and tokens must not cross a network in
 * clear, and the metadata is found at the root of a host alone.
 */
export function whyNoSignIn(settings: Settings): string | undefined {
  if (settings.MCP_AUTH === 'keys') return '`MCP_AUTH` is `keys`'
  const { protocol, hostname, pathname } = new URL(baseUrlOf(settings))
  if (protocol !== 'https:' && !isLoopback(hostname))
    return 'the address of the service is not https'
  return pathname === '/' ? undefined : 'the address of the service has a path'
}
