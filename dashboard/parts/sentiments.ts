export const sentiments = ['positive', 'neutral', 'negative'] as const

export const sentimentColors = {
  positive: 'teal.6',
  neutral: 'gray.5',
  negative: 'red.6',
} as const
