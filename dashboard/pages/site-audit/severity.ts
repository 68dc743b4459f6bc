/** Colours of severities, the worst first. */
export const severityColors = {
  critical: 'red',
  high: 'orange',
  medium: 'yellow',
  low: 'gray',
} as const
