import { Badge, Button, Text } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import {
  CheckExternalLinksDocument,
  ExternalLinksDocument,
  type OneAuditFragment,
  type OneExternalLinkFragment,
} from '../../documents.ts'
import { Fault } from '../../parts/act.tsx'
import { countColumn, longColumn, textColumn } from '../../parts/columns.tsx'
import { May } from '../../parts/may.tsx'
import { Outside } from '../../parts/outside.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { externalLinks } from '../../texts/external-links.ts'
import { t } from '../../texts/texts.ts'

type Link = OneExternalLinkFragment

const colors = { broken: 'red', refused: 'yellow', not_checked: 'gray' } as const
const colorOf = ({ state }: Link) =>
  state in colors ? colors[state as keyof typeof colors] : 'gray'

function answerOf({ httpStatus, reason }: Link): string {
  if (reason) return externalLinks.reasons[reason]
  return httpStatus === null ? '' : `${httpStatus} ${t.aiTraffic.phrases[httpStatus] ?? ''}`.trim()
}

function kindOf({ kinds }: Link): string | undefined {
  if (kinds.includes('link')) return undefined
  return kinds.includes('canonical') ? externalLinks.canonical : externalLinks.alternate
}

function PagesOf({ pageUrls, pageCount }: Link) {
  const [first = ''] = pageUrls
  return (
    <>
      <Outside url={first} name={URL.parse(first)?.pathname ?? first} />
      {pageCount > 1 && (
        <Text size="xs" c="dimmed" title={pageUrls.join('\n')}>
          {externalLinks.more(pageCount - 1)}
        </Text>
      )}
    </>
  )
}

const columns: readonly Column<Link>[] = [
  longColumn(
    externalLinks.link,
    ({ address }) => address,
    (link) => (
      <>
        <Outside url={link.address} name={link.address} />
        {kindOf(link) && (
          <Text size="xs" c="dimmed">
            {kindOf(link)}
          </Text>
        )}
      </>
    ),
  ),
  textColumn(
    externalLinks.state,
    ({ state }) => externalLinks.states[state],
    (link) => (
      <Badge color={colorOf(link)} className="nowrap">
        {externalLinks.states[link.state]}
      </Badge>
    ),
  ),
  textColumn(externalLinks.why, answerOf),
  longColumn(
    externalLinks.on,
    ({ pageUrls }) => pageUrls.join(' '),
    (link) => <PagesOf {...link} />,
  ),
  { ...countColumn<Link>(externalLinks.pages, ({ pageCount }) => pageCount), isMinor: true },
]

/** Audits the site, and asks the links to other sites. */
function Check({ project, isBusy }: { readonly project: string; readonly isBusy: boolean }) {
  const check = useChange(CheckExternalLinksDocument)
  return (
    <May make={CheckExternalLinksDocument}>
      <Button
        size="xs"
        variant="default"
        aria-label={externalLinks.checkOf}
        leftSection={<IconLink size={14} />}
        disabled={isBusy}
        loading={check.isPending}
        onClick={() => check.mutate({ project })}
      >
        {externalLinks.check}
      </Button>
      <Fault error={check.error} />
    </May>
  )
}

interface FoundProps {
  readonly project: string
  readonly audit: OneAuditFragment
  readonly isBusy: boolean
}

const refetchMs = 2000
const isOpen = (status: OneAuditFragment['status'] | undefined) =>
  status === 'queued' || status === 'running'

function Found({ project, audit, isBusy }: FoundProps) {
  const variables = { project, audit: audit.id }
  const query = useQuestion(ExternalLinksDocument, variables, {
    refetchInterval: ({ project: found }) => (isOpen(found?.audit?.status) ? refetchMs : false),
  })
  return (
    <Answered query={query}>
      {({ project: found }) => {
        const { externalLinkCounts = [], externalLinks: links } = found?.audit ?? {}
        const byState = externalLinkCounts.map(({ key, count }) =>
          externalLinks.countOf(externalLinks.states[key as Link['state']], count),
        )
        return (
          <Part
            title={externalLinks.title}
            lead={byState.length > 0 && externalLinks.lead(byState, t.day(audit.createdAt))}
            right={<Check project={project} isBusy={isBusy} />}
            asked={{ document: ExternalLinksDocument, variables }}
            empty={isOpen(found?.audit?.status) ? externalLinks.waiting : externalLinks.allWork}
            columns={columns}
            rows={links?.nodes ?? []}
            total={links?.totalCount}
            keyOf={({ address }) => address}
          />
        )
      }}
    </Answered>
  )
}

interface ExternalLinksProps {
  readonly project: string
  /** The newest audit that asks links to other sites. */
  readonly audit: OneAuditFragment | undefined
  readonly isBusy: boolean
}

/** Links of the site that lead nowhere, each with the pages that have it. */
export function ExternalLinks({ project, audit, isBusy }: ExternalLinksProps) {
  if (audit) return <Found project={project} audit={audit} isBusy={isBusy} />
  return (
    <Panel title={externalLinks.title} right={<Check project={project} isBusy={isBusy} />}>
      <Text size="sm" c="dimmed">
        {externalLinks.none}
      </Text>
    </Panel>
  )
}
