import { Alert, Button, Group, List, Progress, Stack, Text, Title } from '@mantine/core'
import { IconCloudUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Drop } from '../../parts/drop.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Panel } from '../../parts/panel.tsx'
import { TooLarge, type Uploaded, uploadAnswers } from '../../state/upload.ts'
import { t } from '../../texts/texts.ts'

const mostLines = 50

function Lines({ title, lines }: { readonly title: string; readonly lines: Uploaded['rejected'] }) {
  if (lines.length === 0) return null
  const shown = lines.slice(0, mostLines)
  return (
    <div>
      <Title order={3} size="sm">
        {title}
      </Title>
      <Text size="sm" c="dimmed">
        {t.imports.lines(shown.length, lines.length)}
      </Text>
      <List size="sm">
        {shown.map(({ line, reason }) => (
          <List.Item key={`${line} ${reason}`}>{t.imports.line(line, reason)}</List.Item>
        ))}
      </List>
    </div>
  )
}

/** A form that imports a file of answers, and says what came of it. */
export function Upload({ project }: { readonly project: string }) {
  const client = useQueryClient()
  const running = useRef<AbortController>(undefined)
  const [size, setSize] = useState<number>()
  const [done, setDone] = useState<Uploaded>()
  const [fault, setFault] = useState<string>()
  async function send(file: File) {
    const stop = new AbortController()
    const { signal } = stop
    running.current = stop
    setSize(file.size)
    setDone(undefined)
    setFault(undefined)
    try {
      await uploadAnswers(project, file, setDone, signal)
    } catch (error) {
      if (signal.aborted) setFault(t.imports.stopped)
      else
        setFault(error instanceof TooLarge ? t.imports.tooLarge : String((error as Error).message))
    } finally {
      setSize(undefined)
      void client.invalidateQueries()
    }
  }
  const isBusy = size !== undefined
  return (
    <Panel title={t.imports.upload} sub={t.imports.uploadLead}>
      <Stack gap="sm">
        <Drop
          label={t.imports.upload}
          fieldLabel={t.imports.file}
          isBusy={isBusy}
          onFile={(file) => void send(file)}
        >
          <IconCloudUpload size={32} stroke={1.4} aria-hidden />
          <Text fw={600}>{t.imports.drop}</Text>
        </Drop>
        <div role="status">
          {isBusy && (
            <Group>
              <Progress flex={1} value={size ? (100 * (done?.sent ?? 0)) / size : 0} animated />
              <Text size="sm">{t.imports.sending(done?.sent ?? 0, done ? size : 0)}</Text>
              <Button size="xs" variant="default" onClick={() => running.current?.abort()}>
                {t.imports.stop}
              </Button>
            </Group>
          )}
          {done && (
            <Group gap="xs">
              <Text size="sm">{t.imports.result(done.read, done.loaded, done.skipped)}</Text>
              {!isBusy && done.loaded > 0 && (
                <PageLink project={project} to={['overview']} size="sm">
                  {t.imports.toOverview}
                </PageLink>
              )}
            </Group>
          )}
        </div>
        {fault && (
          <Alert color="red" role="alert">
            {fault}
          </Alert>
        )}
        {done && <Lines title={t.imports.rejected} lines={done.rejected} />}
        {done && <Lines title={t.imports.leftOut} lines={done.leftOut} />}
      </Stack>
    </Panel>
  )
}
