import { Alert, Button, Loader, Progress, Stack, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { ProposeSetupDocument } from '../../documents.ts'
import { Fault } from '../../parts/act.tsx'
import { useChange } from '../../state/change.ts'
import { t } from '../../texts/texts.ts'
import type { SetupPart } from './part.ts'

const { newProject: texts } = t

/** How far the reading of the site is, or the answer of the model, and why there are no proposals. */
export function Proposing({ project, found, of }: SetupPart & { readonly of: 'site' | 'model' }) {
  const change = useChange(ProposeSetupDocument)
  const { setup, domain } = found
  if (!setup || (setup.asksModel ? 'model' : 'site') !== of || setup.status === null) return null
  if (setup.status === 'queued' || setup.status === 'running') {
    return (
      <Alert
        role="status"
        color="indigo"
        icon={<Loader size={18} />}
        title={of === 'model' ? texts.asking : texts.reading(domain)}
      >
        <Stack gap="xs">
          <Text size="sm">
            {of === 'model' ? texts.askingHint : texts.readingOf(setup.pagesRead, setup.mostPages)}
          </Text>
          {of === 'site' && (
            <Progress
              value={(100 * setup.pagesRead) / setup.mostPages}
              aria-label={texts.reading(domain)}
              animated
            />
          )}
        </Stack>
      </Alert>
    )
  }
  if (setup.status === 'failed') {
    return (
      <Alert
        role="alert"
        color="orange"
        icon={<IconInfoCircle aria-hidden />}
        title={of === 'model' ? texts.notAsked : texts.unread}
      >
        <Text size="sm" className="wrap">
          {setup.problem} {of === 'site' && texts.unreadHint}
        </Text>
        {of === 'site' && (
          <Button
            size="xs"
            variant="default"
            mt="xs"
            loading={change.isPending}
            onClick={() => change.mutate({ project: project.id })}
          >
            {texts.again}
          </Button>
        )}
        <Fault error={change.error} />
      </Alert>
    )
  }
  if (of === 'model') return null
  return (
    <Text size="sm" c="dimmed" role="status">
      {texts.read(domain, setup.pagesRead)}
    </Text>
  )
}
