import { Button, CopyButton, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { leastPasswordCharacters, mostPasswordCharacters } from '../../../core/reports/limits.ts'
import {
  type OneReportFragment,
  RevokeReportDocument,
  ShareReportDocument,
} from '../../documents.ts'
import { Act } from '../../parts/act.tsx'
import { dayMs } from '../../parts/days.ts'
import { ChangeForm, Choice, Field } from '../../parts/form.tsx'
import { t } from '../../texts/texts.ts'

interface ShareProps {
  readonly project: string
  readonly report: OneReportFragment
}

/** The end of a link that is open for some days; null for none. */
function untilOf(days: string): string | null {
  return days === 'never' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString()
}

/** A button that asks how a link is to be open, and opens it. */
function Share({ project, report }: ShareProps) {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t.reports.shareTitle(report.title)}
        onClick={open}
      >
        {t.reports.share}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t.reports.shareTitle(report.title)}>
        <Stack gap="sm">
          <Text size="sm">{t.reports.shareLead}</Text>
          <ChangeForm
            document={ShareReportDocument}
            variablesOf={(text) => ({
              project,
              id: report.id,
              until: untilOf(text('days')),
              password: text('password') || null,
            })}
            submit={t.reports.shareNow}
            layout="column"
            onDone={close}
          >
            <Choice name="days" label={t.reports.ends} choices={t.reports.ending} />
            <Field
              name="password"
              label={t.reports.password}
              type="password"
              isOptional
              leastCharacters={leastPasswordCharacters}
              mostCharacters={mostPasswordCharacters}
              hint={t.reports.passwordHint}
            />
          </ChangeForm>
        </Stack>
      </Modal>
    </>
  )
}

/** What is done with the link of a completed report. */
export function LinkActs({ project, report }: ShareProps) {
  const { id, title, shareUrl, status } = report
  if (status !== 'completed') return null
  if (!shareUrl) return <Share project={project} report={report} />
  return (
    <Group gap={6}>
      <CopyButton value={shareUrl}>
        {({ copied, copy }) => (
          <Button
            size="compact-xs"
            variant="light"
            aria-label={`${t.reports.copy}: ${title}`}
            onClick={copy}
          >
            {copied ? t.reports.copied : t.reports.copy}
          </Button>
        )}
      </CopyButton>
      <Act
        label={t.reports.revoke}
        of={title}
        document={RevokeReportDocument}
        variables={{ project, id }}
        confirm={t.reports.revokeAsk}
      />
    </Group>
  )
}
