import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** Stands for the service where only a path counts. */
const anyBase = 'http://sightline.invalid'

/**
 * A target as a path of this service, with its query; `/` for a target of another origin. The path is put together again:
 * a browser takes `//host` and `/\host` for the address of another host.
 * @param baseUrl the address of this service, whose full addresses are targets too
 */
export function ownPath(target: string, baseUrl = anyBase): string {
  const url = URL.parse(target, baseUrl)
  if (url?.origin !== new URL(baseUrl).origin) return '/'
  const path = url.pathname.replace(/^[/\\]+/, '')
  return `/${path}${url.search}`.replaceAll('\\', '%5C')
}

/** Leads a browser to a page of this service, and never to another host. */
export function redirectToOwn(
  response: ServerResponse,
  path: string,
  headers: OutgoingHttpHeaders = {},
): void {
  response.writeHead(302, { ...headers, Location: ownPath(path) }).end()
}
