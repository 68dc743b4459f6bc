import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Metrics of one process, in a registry of their own: several may live in one process of a test. */
export interface Metrics {
  counter<Label extends string>(name: string, help: string, ...labels: Label[]): Counter<Label>
  /** `read` is called at each scrape, and sets the values. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    read: (gauge: Gauge<Label>) => void | Promise<void>,
  ): Gauge<Label>
  histogram<Label extends string>(
    name: string,
    help: string,
    buckets: readonly number[],
    ...labels: Label[]
  ): Histogram<Label>
  /** All metrics in Prometheus' text format, with those of the process. */
  text(): Promise<string>
}

export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE

/**
 * Opens the metrics of a part of the service: each has the label `part`. Memory, processor and delay of the event loop
 * are measured from the first scrape on, so a service that nobody scrapes pays nothing for them.
 */
export function openMetrics(part: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ part })
  const registers = [registry]
  let isMeasured = false
  return {
    counter: (name, help, ...labelNames) => new Counter({ name, help, labelNames, registers }),
    gauge: (name, help, labelNames, read) =>
      new Gauge({
        name,
        help,
        labelNames: [...labelNames],
        registers,
        collect() {
          return read(this)
        },
      }),
    histogram: (name, help, buckets, ...labelNames) =>
      new Histogram({ name, help, labelNames, buckets: [...buckets], registers }),
    text() {
      if (!isMeasured) collectDefaultMetrics({ register: registry })
      isMeasured = true
      return registry.metrics()
    },
  }
}

/** Joins the texts of several parts: all samples of one metric must follow one header. */
export function joinMetrics(texts: readonly string[]): string {
  const families = new Map<string, { header: string; samples: string[] }>()
  for (const family of texts.flatMap((text) => text.split(/^(?=# HELP )/m))) {
    const [help = '', type = '', ...samples] = family.trim().split('\n')
    const name = help.split(' ', 3)[2]
    if (name === undefined) continue
    const known = families.get(name) ?? { header: `${help}\n${type}`, samples: [] }
    families.set(name, known)
    known.samples.push(...samples)
  }
  return [...families.values()]
    .map(({ header, samples }) => `${[header, ...samples].join('\n')}\n`)
    .join('\n')
}
