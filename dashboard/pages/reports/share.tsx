import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { leastPasswordCharacters, mostPasswordCharacters } from '../../../core/reports/limits.ts'
import {
  type OneReportFragment,
  RevokeReportDocument,
  ShareReportDocument,
} from '../../documents.ts'
import { Act } from '../../parts/act.tsx'
import { Copy } from '../../parts/copy.tsx'
import { daysFromNow } from '../../parts/days.ts'
import { ChangeForm, Choice, Field } from '../../parts/form.tsx'
import { useMay } from '../../state/may.ts'
import { t } from '../../texts/texts.ts'

interface ShareProps {
  readonly project: string
  readonly report: OneReportFragment
}

/** A button that asks how a link is to be open, and opens it. */
function Share({ project, report }: ShareProps) {
  const [isOpen, { open, close }] = useDisclosure()
  const may = useMay()
  if (!may(ShareReportDocument)) return null
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
              until: daysFromNow(text('days')),
              password: text('password') || null,
              proofTexts: text('proof') !== 'hashes',
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
            <Choice name="proof" label={t.reports.proof} choices={t.reports.proofs} />
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
      <Copy
        value={shareUrl}
        label={t.reports.copy}
        done={t.reports.copied}
        of={title}
        variant="light"
      />
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
