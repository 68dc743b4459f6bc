import {
  Alert,
  Button,
  Group,
  List,
  Menu,
  Progress,
  Radio,
  Select,
  Stack,
  Table,
  Text,
  Title,
  Tooltip,
} from '@mantine/core'
import { IconCloudUpload, IconDownload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FileKind } from '../../documents.ts'
import { Drop } from '../../parts/drop.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Panel } from '../../parts/panel.tsx'
import { saveFile } from '../../parts/save.ts'
import {
  type FilePreview,
  importFile,
  type Opened,
  openFile,
  previewFile,
  TooLarge,
  type Uploaded,
} from '../../state/upload.ts'
import { t } from '../../texts/texts.ts'
import { sampleOf } from './samples.ts'

const { imports: texts } = t

const mostLines = 50
const kinds = Object.entries(texts.fileKinds) as [FileKind, string][]

/** Where the data of a kind shows. */
const pageOf: Readonly<Record<FileKind, keyof typeof texts.next>> = {
  answers: 'overview',
  prompts: 'prompts',
  access_log: 'ai-traffic',
  search_console: 'opportunities',
  web_analytics: 'ai-traffic',
  pages: 'site-audit',
  page_contents: 'sources',
  articles: 'opportunities',
  domain_authority: 'overview',
}

function Lines({ title, lines }: { readonly title: string; readonly lines: Uploaded['rejected'] }) {
  if (lines.length === 0) return null
  const shown = lines.slice(0, mostLines)
  return (
    <div>
      <Title order={3} size="sm">
        {title}
      </Title>
      <Text size="sm" c="dimmed">
        {texts.lines(shown.length, lines.length)}
      </Text>
      <List size="sm">
        {shown.map(({ line, reason }) => (
          <List.Item key={`${line} ${reason}`} className="wrap">
            {texts.line(line, reason)}
          </List.Item>
        ))}
      </List>
    </div>
  )
}

/** A sample of each kind, to fill in. */
function Samples() {
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} />}>
          {texts.samples}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {kinds.map(([kind, name]) => (
          <Menu.Item
            key={kind}
            onClick={() => {
              const { extension, content } = sampleOf(kind)
              saveFile(texts.sampleName(name), extension, new Blob([content]))
            }}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const isLong = (cell = '') => cell.length > 60

/** The first rows of a file as they would be read. */
function Rows({ preview }: { readonly preview: FilePreview }) {
  const { columns, lines } = preview
  if (lines.length === 0) return null
  return (
    <Table.ScrollContainer minWidth={280} type="native">
      <Table aria-label={texts.firstRows} className="rows">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" className="number">
              {texts.lineNumber}
            </Table.Th>
            {columns.map((name) => (
              <Table.Th key={name} scope="col" className="text">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map(({ line, cells }) => (
            <Table.Tr key={line}>
              <Table.Td className="number">{line}</Table.Td>
              {columns.map((name, at) => (
                <Table.Td key={name} className={isLong(cells[at]) ? 'text wrap long' : 'text wrap'}>
                  {isLong(cells[at]) ? (
                    <Tooltip label={cells[at]}>
                      <Text size="sm" lineClamp={3} tabIndex={0}>
                        {cells[at]}
                      </Text>
                    </Tooltip>
                  ) : (
                    cells[at]
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

interface CheckProps {
  readonly project: string
  readonly opened: Opened
  readonly preview: FilePreview
  readonly isBusy: boolean
  onKind(kind: FileKind): void
  onImport(kind: FileKind): void
  onCancel(): void
}

/** What was found in a file, before anything is stored. */
function Check({ project, opened, preview, isBusy, onKind, onImport, onCancel }: CheckProps) {
  const { kind, candidates, readProblem, read, accepted, rejected, isCut } = preview
  const names = texts.fileKinds
  return (
    <Stack gap="sm" role="region" aria-label={opened.name}>
      {kind === null && candidates.length === 0 && <Text fw={600}>{opened.name}</Text>}
      {kind === null && candidates.length > 0 && (
        <Radio.Group
          label={texts.whatIs(opened.name)}
          onChange={(value) => onKind(value as FileKind)}
        >
          <Stack gap="xs" mt="xs">
            {candidates.map((each) => (
              <Radio key={each} value={each} label={names[each]} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {kind !== null && (
        <Select
          label={texts.isOf(opened.name)}
          data={kinds.map(([value, label]) => ({ value, label }))}
          value={kind}
          onChange={(value) => value && value !== kind && onKind(value as FileKind)}
          allowDeselect={false}
          maw={320}
        />
      )}
      {readProblem && (
        <Alert color="red" role="alert" title={kind ? texts.notOf(names[kind]) : undefined}>
          {texts.plain(readProblem)}
        </Alert>
      )}
      {kind && !readProblem && (
        <Text size="sm" role="status">
          {texts.found(read, accepted, isCut)}
        </Text>
      )}
      {kind === 'prompts' && !readProblem && accepted === 0 && (
        <Alert color="orange" role="alert">
          {texts.noPromptColumn}{' '}
          <PageLink project={project} to={['prompts']}>
            {texts.toPrompts}
          </PageLink>
        </Alert>
      )}
      <Rows preview={preview} />
      <Lines title={texts.wouldReject} lines={rejected} />
      <Group>
        <Button
          disabled={kind === null || readProblem !== null || accepted === 0}
          loading={isBusy}
          onClick={() => kind && onImport(kind)}
        >
          {texts.importIt}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {t.act.cancel}
        </Button>
      </Group>
    </Stack>
  )
}

interface Done {
  readonly kind: FileKind
  readonly uploaded: Uploaded
}

/** Takes any file, says what is in it, and imports it. */
export function Upload({ project }: { readonly project: string }) {
  const client = useQueryClient()
  const running = useRef<AbortController>(undefined)
  const [opened, setOpened] = useState<Opened>()
  const [preview, setPreview] = useState<FilePreview>()
  const [isReading, setReading] = useState(false)
  const [isSending, setSending] = useState(false)
  const [done, setDone] = useState<Done>()
  const [fault, setFault] = useState<string>()

  const explain = (error: unknown) =>
    setFault(
      error instanceof TooLarge ? texts.tooLarge : texts.plain(String((error as Error).message)),
    )

  async function look(file: Opened, kind?: FileKind) {
    setReading(true)
    setFault(undefined)
    try {
      setPreview(await previewFile(project, file, kind))
    } catch (error) {
      explain(error)
      setOpened(undefined)
    } finally {
      setReading(false)
    }
  }

  async function choose(file: File) {
    setDone(undefined)
    setPreview(undefined)
    try {
      const found = await openFile(file)
      setOpened(found)
      await look(found)
    } catch (error) {
      explain(error)
    }
  }

  function clear() {
    setOpened(undefined)
    setPreview(undefined)
  }

  async function send(file: Opened, kind: FileKind) {
    const stop = new AbortController()
    running.current = stop
    setSending(true)
    setFault(undefined)
    try {
      const show = (uploaded: Uploaded) => setDone({ kind, uploaded })
      await importFile(project, file, kind, show, stop.signal)
      clear()
    } catch (error) {
      if (stop.signal.aborted) setFault(texts.stopped)
      else explain(error)
    } finally {
      setSending(false)
      void client.invalidateQueries()
    }
  }

  return (
    <Panel title={texts.upload} sub={texts.uploadLead} right={<Samples />}>
      <Stack gap="md">
        {!preview && (
          <Drop
            label={texts.drop}
            fieldLabel={texts.file}
            isBusy={isReading}
            onFile={(file) => void choose(file)}
          >
            <IconCloudUpload size={32} stroke={1.4} aria-hidden />
            <Text fw={600}>{texts.drop}</Text>
            <Text size="sm" c="dimmed">
              {texts.dropHint}
            </Text>
          </Drop>
        )}
        {opened && preview && (
          <Check
            project={project}
            opened={opened}
            preview={preview}
            isBusy={isSending || isReading}
            onKind={(kind) => void look(opened, kind)}
            onImport={(kind) => void send(opened, kind)}
            onCancel={clear}
          />
        )}
        <div role="status">
          {isReading && <Text size="sm">{texts.reading}</Text>}
          {isSending && (
            <Group>
              <Progress
                flex={1}
                value={100 * (done?.uploaded.share ?? 0)}
                animated
                aria-label={texts.progress}
              />
              <Text size="sm">{texts.sending(done?.uploaded.share ?? 0)}</Text>
              <Button size="xs" variant="default" onClick={() => running.current?.abort()}>
                {texts.stop}
              </Button>
            </Group>
          )}
          {done && (
            <Group gap="xs">
              <Text size="sm">
                {texts.result(done.uploaded.read, done.uploaded.loaded, done.uploaded.skipped)}
              </Text>
              {!isSending && done.uploaded.loaded > 0 && (
                <PageLink project={project} to={[pageOf[done.kind]]} size="sm">
                  {texts.next[pageOf[done.kind]]}
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
        {done && <Lines title={texts.rejected} lines={done.uploaded.rejected} />}
        {done && <Lines title={texts.leftOut} lines={done.uploaded.leftOut} />}
      </Stack>
    </Panel>
  )
}
