import { t } from '../../texts/texts.ts'

const { aiTraffic } = t

/** "404 Not Found", in the words of HTTP. */
export function statusText(code: number): string {
  if (code === 0) return aiTraffic.unknownStatus
  return [String(code), aiTraffic.phrases[code]].filter(Boolean).join(' ')
}

export const statusColor = (code: number) => (code >= 500 ? 'red' : code >= 400 ? 'orange' : 'gray')
