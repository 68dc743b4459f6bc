// The SDK of OpenTelemetry: `tracing.ts` alone loads this file.
import { setTimeout as sleep } from 'node:timers/promises'
import * as api from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Log } from '../core/log.ts'
import { makeSpans } from './spans.ts'

/** The sending of spans. */
export interface Tracing {
  /** Sends the spans that wait, for two seconds at most. */
  stop(): Promise<void>
}

const sendEveryMs = 2000
const stopMs = 2000

/** @param endpoint where a collector takes OTLP by HTTP, without `/v1/traces` */
export function startSdk(part: string, endpoint: string, log: Log): Tracing {
  const report = (message: string) => log.warn({ from: 'opentelemetry' }, message)
  const drop = () => undefined
  const quiet = { info: drop, debug: drop, verbose: drop }
  api.diag.setLogger({ ...quiet, error: report, warn: report }, api.DiagLogLevel.WARN)
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })
  const processor = new BatchSpanProcessor({ exporter, scheduledDelayMillis: sendEveryMs })
  const name = { 'service.name': `sightline-${part}`, 'service.namespace': 'sightline' }
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(name)),
    spanProcessors: [processor],
  })
  api.trace.setGlobalTracerProvider(provider)
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  api.propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  makeSpans(api)
  return {
    async stop() {
      await Promise.race([provider.shutdown(), sleep(stopMs, undefined, { ref: false })])
    },
  }
}
