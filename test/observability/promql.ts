import { parser } from '@prometheus-io/lezer-promql'

/** What an expression of PromQL reads. */
export interface Read {
  readonly metric: string
  /** Labels by which the metric is selected. */
  readonly labels: readonly string[]
}

export interface Expression {
  readonly reads: readonly Read[]
  /** Labels by which results are grouped. */
  readonly groups: readonly string[]
}

const unquoted = (text: string) => text.replace(/^["']|["']$/g, '')

/**
 * Reads an expression with the parser of Prometheus' own editor. Grafana's interval counts as five minutes.
 * @throws {Error} for an expression that is no PromQL
 */
export function readPromql(expr: string): Expression {
  const text = expr.replaceAll('$__rate_interval', '5m')
  const reads: { metric: string; labels: string[] }[] = []
  const groups: string[] = []
  parser.parse(text).iterate({
    enter({ type, node, from, to }) {
      if (type.isError) throw new Error(`no PromQL at ${from}: ${expr}`)
      const part = text.slice(from, to)
      if (node.name === 'VectorSelector') reads.push({ metric: '', labels: [] })
      const read = reads.at(-1)
      if (node.name === 'Identifier' && node.parent?.name === 'VectorSelector' && read) {
        read.metric = part
      }
      if (node.name !== 'LabelName') return
      if (node.parent?.name === 'GroupingLabels') groups.push(unquoted(part))
      else read?.labels.push(unquoted(part))
    },
  })
  return { reads, groups }
}
