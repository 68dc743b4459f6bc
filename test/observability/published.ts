import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { apiMetrics, cacheMetrics } from '../../observability/api.ts'
import { engineMetrics } from '../../observability/engine.ts'
import { jobMetrics } from '../../observability/jobs.ts'
import { partMetrics } from '../../observability/parts.ts'
import { poolMetrics } from '../../observability/pools.ts'
import { type Metrics, openMetrics } from '../../observability/registry.ts'
import { statementMetrics } from '../../observability/statements.ts'
import { samplesOf } from '../kit/observability/samples.ts'
import { root } from '../kit/repository.ts'
import { readPromql } from './promql.ts'

export interface AlertRule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly action: string }
}

/** An expression of the dashboard or of an alert, and the text that names labels of its result. */
export interface Shown {
  readonly title: string
  readonly expr: string
  readonly text: string
}

interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}

const read = (path: string) => readFileSync(join(root, 'observability', path), 'utf8')

export function alertRules(): AlertRule[] {
  const file = parse(read('prometheus/alerts.yaml')) as { groups: { rules: AlertRule[] }[] }
  return file.groups.flatMap(({ rules }) => rules)
}

/** Every expression of the dashboard and of the alerts. */
export function shownExpressions(): Shown[] {
  const { panels } = JSON.parse(read('grafana/dashboard.json')) as { panels: Panel[] }
  const ofPanels = panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ title, expr, text: legendFormat })),
  )
  const ofAlerts = alertRules().map(({ alert, expr, annotations: { summary, action } }) => {
    const labels = [...`${summary}${action}`.matchAll(/\$labels\.(\w+)/g)]
    return { title: alert, expr, text: labels.map(([, label]) => `{{${label}}}`).join(' ') }
  })
  return [...ofPanels, ...ofAlerts]
}

/** The labels of each metric of a scrape: of its samples, and as declared for a metric that has none yet. */
export function labelsByMetric(scrape: string): Map<string, Set<string>> {
  const labels = new Map<string, Set<string>>()
  const add = (name: string, more: readonly string[]) => {
    labels.set(name, new Set([...(labels.get(name) ?? []), ...more]))
  }
  for (const sample of samplesOf(scrape)) add(sample.name, Object.keys(sample.labels))
  const declare = (name: string, more: readonly string[], ends = ['']) => {
    if (!scrape.includes(`# TYPE ${name} `)) return
    for (const end of ends) add(name + end, ['part', ...more])
  }
  const declareTimes = (name: string, names: readonly string[]) => {
    declare(name, names, ['_sum', '_count'])
    declare(name, ['le', ...names], ['_bucket'])
  }
  const declared = (): Metrics => {
    const metrics = openMetrics('declared')
    return {
      ...metrics,
      counter: (name, help, ...names) => {
        declare(name, names)
        return metrics.counter(name, help, ...names)
      },
      gauge: (name, help, names, readValue) => {
        declare(name, names)
        return metrics.gauge(name, help, names, readValue)
      },
      histogram: (name, help, buckets, ...names) => {
        declareTimes(name, names)
        return metrics.histogram(name, help, buckets, ...names)
      },
    }
  }
  apiMetrics(declared())
  cacheMetrics(declared(), {})
  statementMetrics(declared())
  engineMetrics(declared(), () => ({ slots: 0, busy: 0, waiting: 0 }))
  jobMetrics(declared(), async () => [])
  poolMetrics(declared())
  partMetrics(declared(), { parts: () => ({}), connections: () => ({}) })
  return labels
}

/** What an expression names and no metric has. */
export function faultsOf(
  { title, expr, text }: Shown,
  labels: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const { reads, groups } = readPromql(expr)
  const known = new Set(reads.flatMap(({ metric }) => [...(labels.get(metric) ?? [])]))
  const named = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
  return [
    ...reads
      .filter(({ metric }) => !labels.has(metric))
      .map(({ metric }) => `${title}: no metric ${metric}`),
    ...reads.flatMap(({ metric, labels: selected }) =>
      selected
        .filter((label) => !labels.get(metric)?.has(label))
        .map((label) => `${title}: ${metric} has no label ${label}`),
    ),
    ...[...groups, ...named]
      .filter((label) => !known.has(label))
      .map((label) => `${title}: no label ${label}`),
  ]
}
