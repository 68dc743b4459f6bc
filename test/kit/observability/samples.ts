export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/**
 * The samples of Prometheus' text format.
 * @throws {Error} for a line of another form, and for a metric with two headers
 */
export function samplesOf(text: string): Sample[] {
  const headers = text.match(/^# TYPE \S+/gm) ?? []
  if (new Set(headers).size < headers.length) throw new Error('a metric has two headers')
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, labels = '', value] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      if (name === undefined) throw new Error(`no sample: ${line}`)
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
      const byName = Object.fromEntries(pairs.map(([, key, given]) => [key, given]))
      return { name, labels: byName, value: Number(value) }
    })
}

/** The sum of the samples of a metric with these labels; undefined where there is none. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0)
}
