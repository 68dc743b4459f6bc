import { Counter, type Histogram, type Registry } from 'prom-client'
import { ByLabels, type LabelValue } from './by-labels.ts'

/** Metrics that each request raises. They keep numbers of their own until a scrape. */

interface Described {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
}

/** Counts by labels. */
export interface FrequentCounter {
  /** Counts one. */
  add(...labels: LabelValue[]): void
  /** Shows a count of 0: an alert does not see the first rise of a count that was not there. */
  begin(...labels: LabelValue[]): void
}

/** Seconds by labels. */
export interface FrequentHistogram {
  observe(seconds: number, ...labels: LabelValue[]): void
}

export function frequentCounter(registry: Registry, metric: Described): FrequentCounter {
  const counts = new ByLabels(() => ({ sinceScrape: 0 }))
  new Counter({
    ...metric,
    registers: [registry],
    collect() {
      for (const { labels, kept } of counts.named(metric.labelNames)) {
        this.inc(labels, kept.sinceScrape)
        kept.sinceScrape = 0
      }
    },
  })
  return {
    add(...labels) {
      counts.at(labels).sinceScrape += 1
    },
    begin(...labels) {
      counts.at(labels)
    },
  }
}

/** @param bounds the highest time of each bucket, from the lowest on; longer times are in the count alone */
export function frequentHistogram(
  registry: Registry,
  { name, help, labelNames }: Described,
  bounds: readonly number[],
): FrequentHistogram {
  const times = new ByLabels(() => ({ perBucket: bounds.map(() => 0), sum: 0, count: 0 }))
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    values: times.named(labelNames).flatMap(({ labels, kept: { perBucket, sum, count } }) => {
      let upTo = 0
      const buckets = bounds.map((le, place) => {
        upTo += perBucket[place] ?? 0
        return { labels: { le, ...labels }, value: upTo, metricName: `${name}_bucket` }
      })
      return [
        ...buckets,
        { labels: { le: '+Inf', ...labels }, value: count, metricName: `${name}_bucket` },
        { labels, value: sum, metricName: `${name}_sum` },
        { labels, value: count, metricName: `${name}_count` },
      ]
    }),
  })
  // A registry asks a metric for its name and its values alone. The histogram of prom-client takes no counts.
  registry.registerMetric({ name, get } as unknown as Histogram)
  return {
    observe(seconds, ...labels) {
      const kept = times.at(labels)
      const place = bounds.findIndex((bound) => seconds <= bound)
      if (place !== -1) kept.perBucket[place] = (kept.perBucket[place] ?? 0) + 1
      kept.sum += seconds
      kept.count += 1
    },
  }
}
