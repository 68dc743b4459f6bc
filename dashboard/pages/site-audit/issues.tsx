import { Accordion, Badge, Button, Group, SegmentedControl, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import {
  AllIssuesDocument,
  IgnoreIssueDocument,
  type IssueStatus,
  type OneIssueFragment,
  RecheckPageDocument,
  ReopenIssueDocument,
  type SiteAuditQuery,
} from '../../documents.ts'
import { Act, Fault, ReasonAct } from '../../parts/act.tsx'
import { PageLink } from '../../parts/links.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Outside } from '../../parts/outside.tsx'
import { type Asked, Panel } from '../../parts/panel.tsx'
import { saveCsv } from '../../parts/save.ts'
import { useAddress } from '../../state/address.ts'
import { useChange } from '../../state/change.ts'
import { useMay } from '../../state/may.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'
import { evidenceTexts } from './evidence.ts'
import { severityColors } from './severity.ts'

const { siteAudit } = t

const severities = Object.keys(severityColors)

/** The issues of one check, the check being the same for all of them. */
interface Check {
  readonly first: OneIssueFragment
  readonly issues: readonly OneIssueFragment[]
}

/** Issues by check, the most severe first, and of these the ones with most pages. */
function grouped(issues: readonly OneIssueFragment[]): Check[] {
  const groups = [...Map.groupBy(issues, ({ type }) => type).values()]
  return groups
    .flatMap((each): Check[] => (each[0] ? [{ first: each[0], issues: each }] : []))
    .toSorted(
      (a, b) =>
        severities.indexOf(a.first.severity) - severities.indexOf(b.first.severity) ||
        b.issues.length - a.issues.length,
    )
}

const shownEvidence = 5

function Evidence({ issue }: { readonly issue: OneIssueFragment }) {
  const texts = evidenceTexts(issue.evidence)
  return (
    <>
      <Text size="sm">{issue.description.replaceAll('`', '')}</Text>
      {texts.slice(0, shownEvidence).map((text) => (
        <Text key={text} size="xs" c="dimmed" className="wrap">
          {text}
        </Text>
      ))}
      {texts.length > shownEvidence && (
        <Text size="xs" c="dimmed">
          {siteAudit.evidenceMore(texts.length - shownEvidence)}
        </Text>
      )}
    </>
  )
}

function pathIn(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url
}

function Where({ project, issue }: { project: string; issue: OneIssueFragment }) {
  const path = pathIn(issue.url)
  if (!issue.page) return issue.url ? <Outside url={issue.url} name={path} /> : siteAudit.wholeSite
  return (
    <>
      <PageLink project={project} to={['ai-traffic', issue.page.id]}>
        {path}
      </PageLink>{' '}
      <Outside url={issue.url} name="" label={siteAudit.openPage(path)} />
    </>
  )
}

/** Audits the one page again, and says so. */
function Recheck({ project, page, of }: { project: string; page: string; of: string }) {
  const audit = useChange(RecheckPageDocument)
  const may = useMay()
  if (!may(RecheckPageDocument)) return null
  return (
    <>
      <Button
        size="compact-xs"
        variant="light"
        loading={audit.isPending}
        aria-label={`${siteAudit.recheck}: ${of}`}
        onClick={() =>
          audit.mutate({ project, page }, { onSuccess: () => notifyDone(siteAudit.rechecking) })
        }
      >
        {siteAudit.recheck}
      </Button>
      <Fault error={audit.error} />
    </>
  )
}

function Acts({ project, issue }: { project: string; issue: OneIssueFragment }) {
  const variables = { project, id: issue.id }
  const of = `${issue.headline} ${pathIn(issue.url)}`
  if (issue.status === 'open') {
    return (
      <Group gap={4}>
        {issue.page && <Recheck project={project} page={issue.page.id} of={of} />}
        <ReasonAct
          label={siteAudit.ignore}
          of={of}
          document={IgnoreIssueDocument}
          variables={variables}
          offer={({ offerInverse }) =>
            offerInverse(ReopenIssueDocument, variables, siteAudit.ignoredNow(of))
          }
        />
      </Group>
    )
  }
  if (issue.resolution !== 'ignored') return null
  return (
    <Act label={siteAudit.reopen} of={of} document={ReopenIssueDocument} variables={variables} />
  )
}

function OneCheck({ project, group }: { project: string; group: Check }) {
  const { first, issues } = group
  return (
    <Accordion.Item value={first.type}>
      <Accordion.Control>
        <Group justify="space-between" pr="md" gap={4}>
          <Group gap="sm" miw={0} className="check">
            <Badge color={severityColors[first.severity]} w={76}>
              {t.severities[first.severity]}
            </Badge>
            <Text fw={600}>{first.headline}</Text>
          </Group>
          <Text size="sm" c="dimmed" className="nowrap">
            {first.page ? siteAudit.affected(issues.length) : siteAudit.wholeSite}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Text size="sm">
          <b>{siteAudit.fix}:</b> {first.howToFix.replaceAll('`', '')}
        </Text>
        <Table mt="sm" className="rows" aria-label={first.headline}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th className="text">{siteAudit.page}</Table.Th>
              <Table.Th className="text">{siteAudit.evidence}</Table.Th>
              <Table.Th className="text minor">{siteAudit.openSince}</Table.Th>
              <Table.Th className="text">{t.columns.actions}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {issues.map((issue) => (
              <Table.Tr key={issue.id}>
                <Table.Th scope="row" className="text">
                  <Where project={project} issue={issue} />
                </Table.Th>
                <Table.Td className="text">
                  <Evidence issue={issue} />
                </Table.Td>
                <Table.Td className="text minor">
                  {issue.resolution
                    ? siteAudit.resolutions[issue.resolution]
                    : t.day(issue.openedAt)}
                  {issue.ignoredReason && (
                    <Text size="xs" c="dimmed">
                      {siteAudit.ignored(issue.ignoredReason)}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td className="text">
                  <Acts project={project} issue={issue} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Accordion.Panel>
    </Accordion.Item>
  )
}

const fileColumns = [
  { name: 'Severity', value: ({ severity }: OneIssueFragment) => t.severities[severity] },
  { name: 'Check', value: ({ headline }: OneIssueFragment) => headline },
  { name: siteAudit.page, value: ({ url }: OneIssueFragment) => url },
  {
    name: siteAudit.evidence,
    value: ({ description, evidence }: OneIssueFragment) =>
      [description.replaceAll('`', ''), ...evidenceTexts(evidence)].join(' '),
  },
  { name: siteAudit.fix, value: ({ howToFix }: OneIssueFragment) => howToFix },
  { name: siteAudit.openSince, value: ({ openedAt }: OneIssueFragment) => openedAt },
]

interface IssuesProps {
  readonly project: string
  readonly found: NonNullable<SiteAuditQuery['project']>['issues']
  readonly state: IssueStatus
  readonly right: ReactNode
  readonly asked: Asked<SiteAuditQuery, { project: string }>
}

/** The issues grouped by check: one entry for a fault, with all of its pages. */
export function Issues({ project, found, state, right, asked }: IssuesProps) {
  const { state: address, set } = useAddress()
  const issues = found?.nodes ?? []
  const groups = grouped(issues)
  const total = found?.totalCount ?? issues.length
  async function saveIssues() {
    const all = await wholeList(
      AllIssuesDocument,
      { project, issues: { statuses: [state] } },
      (answer) => answer.project?.issues,
    )
    await saveCsv(siteAudit.issues, fileColumns, all)
  }
  return (
    <>
      <Group justify="space-between" mb="sm" align="flex-start">
        <SegmentedControl
          aria-label={siteAudit.issues}
          value={state}
          onChange={(value) => set({ issues: value === 'open' ? undefined : value })}
          data={Object.entries(siteAudit.states).map(([value, label]) => ({ value, label }))}
        />
        {right}
      </Group>
      <Panel
        title={siteAudit.issues}
        sub={total > 0 && siteAudit.lead(total, groups.length)}
        asked={asked}
        saveCsv={total > 0 ? saveIssues : undefined}
      >
        {groups.length === 0 ? (
          <Text c="dimmed" ta="center" py="md">
            {siteAudit.noIssues[state]}
          </Text>
        ) : (
          <Accordion
            chevronPosition="left"
            className="flush"
            order={3}
            defaultValue={address.check ?? null}
          >
            {groups.map((group) => (
              <OneCheck key={group.first.type} project={project} group={group} />
            ))}
          </Accordion>
        )}
      </Panel>
    </>
  )
}
