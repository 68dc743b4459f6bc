import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export interface SentSpan {
  readonly part: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

type Plain = Omit<SentSpan, 'part' | 'attributes'> & { readonly attributes: readonly Attribute[] }

interface Traces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly Plain[] }[]
  }[]
}

const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** A receiver of traces: OTLP as JSON by HTTP. */
export async function startCollector() {
  const spans: SentSpan[] = []
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as Traces
    for (const { resource, scopeSpans } of resourceSpans) {
      const part = String(valuesOf(resource.attributes)['service.name'])
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        spans.push({ ...span, part, attributes: valuesOf(span.attributes) })
      }
    }
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}
