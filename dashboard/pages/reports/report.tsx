import { Group, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { ReportDocument } from '../../documents.ts'
import { Heading } from '../../parts/heading.tsx'
import { Answered } from '../../parts/states.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { t } from '../../texts/texts.ts'
import { LinkActs } from './share.tsx'
import { isOpen, refetchMs, SharedWords } from './shown.tsx'

interface PreviewProps {
  readonly url: string
  readonly title: string
}

/** The page of the report as its readers see it, in its whole height: it has no scroll bar of its own. */
function Preview({ url, title }: PreviewProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(900)
  function follow() {
    const page = frame.current?.contentDocument?.documentElement
    if (!page) return
    const measure = () => setHeight(Math.ceil(page.getBoundingClientRect().height))
    measure()
    // Text wraps again in a narrower window, and readers open what is closed.
    new ResizeObserver(measure).observe(page)
  }
  return (
    <iframe
      ref={frame}
      className="report"
      src={url}
      title={title}
      height={height}
      onLoad={follow}
    />
  )
}

/** One report, to be read before anybody else does. */
export function ReportPage({ project, id }: { readonly project: string; readonly id: string }) {
  const { link } = useAddress()
  // The address of the preview is asked for once: a new one would load the page again.
  const [previewUrl, setPreviewUrl] = useState<string>()
  const query = useQuestion(
    ReportDocument,
    { project, id },
    {
      refetchInterval: ({ project: found }) =>
        found?.report && isOpen(found.report) ? refetchMs : false,
    },
  )
  return (
    <Answered query={query}>
      {({ project: found }) => {
        const report = found?.report
        if (!report) return <Text>{t.reports.missing}</Text>
        if (report.previewUrl && !previewUrl) setPreviewUrl(report.previewUrl)
        return (
          <>
            <Heading
              title={report.title}
              from={{ label: t.reports.title, href: link(pathOf(project, 'reports')) }}
              sub={
                <Group gap="sm" mt="xs">
                  <SharedWords report={report} />
                  <LinkActs project={project} report={report} />
                </Group>
              }
            />
            {report.status === 'failed' && <Text>{t.reports.failed}</Text>}
            {isOpen(report) && <Text role="status">{t.reports.making}</Text>}
            {previewUrl && (
              <Preview url={new URL(previewUrl).pathname} title={t.reports.open(report.title)} />
            )}
          </>
        )
      }}
    </Answered>
  )
}
