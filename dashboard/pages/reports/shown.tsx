import { Text } from '@mantine/core'
import type { OneReportFragment } from '../../documents.ts'
import { t } from '../../texts/texts.ts'

export const isOpen = ({ status }: Pick<OneReportFragment, 'status'>) =>
  status === 'queued' || status === 'running'

/** Time between two looks at a report that is being made. */
export const refetchMs = 2000

/** "Until 28 December 2026, with a password". */
export function sharedText({ shareUrl, shareEndsAt, hasPassword }: OneReportFragment): string {
  if (!shareUrl) return t.reports.isPrivate
  const end = shareEndsAt ? t.reports.until(shareEndsAt) : t.reports.noEnd
  return hasPassword ? `${end}, ${t.reports.withPassword}` : end
}

export function SharedWords({ report }: { readonly report: OneReportFragment }) {
  return (
    <Text size="sm" c="dimmed">
      {report.shareUrl ? `${t.reports.shared}: ` : ''}
      {sharedText(report)}
    </Text>
  )
}
