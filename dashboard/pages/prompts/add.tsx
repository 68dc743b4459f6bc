import {
  Alert,
  Button,
  Group,
  Modal,
  Select,
  SimpleGrid,
  Stack,
  Tabs,
  Text,
  Textarea,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFileImport, IconPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import {
  AddPromptsDocument,
  ImportPromptsDocument,
  PreviewPromptsDocument,
  type PromptColumn,
  type PromptColumnChoice,
} from '../../documents.ts'
import { Fault } from '../../parts/act.tsx'
import { Drop } from '../../parts/drop.tsx'
import { notifyDone } from '../../parts/notify.ts'
import type { PageProps } from '../../parts/page.ts'
import { useChange } from '../../state/change.ts'
import { useMay } from '../../state/may.ts'
import { t } from '../../texts/texts.ts'
import { fileOf } from './file.ts'
import { type Preview, PreviewLines } from './preview.tsx'

const { prompts: texts } = t

interface CheckedProps extends PageProps {
  /** Absent until there is something to check. */
  readonly content: string | undefined
  readonly columns?: PromptColumnChoice[]
  readonly above?: number | undefined
  /** @returns the columns that the preview has read; undefined where those given stay */
  readonly onPreview?: (preview: Preview) => PromptColumnChoice[] | undefined
  /** Adds what was checked. @returns what to say about it */
  add(preview: Preview): Promise<string>
  onDone(): void
}

/** Shows what would be added, and then adds it. */
function Checked(props: CheckedProps) {
  const { project, content, columns, above, onPreview, onDone } = props
  const [checked, setChecked] = useState<{ readonly of: string; readonly preview: Preview }>()
  const preview = useChange(PreviewPromptsDocument)
  const addition = useMutation({ mutationFn: (checkedBefore: Preview) => props.add(checkedBefore) })
  const of = JSON.stringify([content, columns])
  const found = checked?.of === of ? checked.preview : undefined
  const variables = { project: project.id, content: content ?? '', columns }
  function check() {
    preview.mutate(variables, {
      onSuccess: ({ previewPrompts: answer }) => {
        if (!answer || !('read' in answer)) return
        const read = onPreview?.(answer) ?? columns
        setChecked({ of: JSON.stringify([content, read]), preview: answer })
      },
    })
  }
  function add(checkedBefore: Preview) {
    addition.mutate(checkedBefore, {
      onSuccess: (words) => {
        notifyDone(words)
        onDone()
      },
    })
  }
  const writes = found ? found.created + found.updated : 0
  return (
    <Stack gap="sm">
      {found && <PreviewLines preview={found} above={above} />}
      <Group>
        {found && writes > 0 ? (
          <Button onClick={() => add(found)} loading={addition.isPending}>
            {texts.addSome(found.created, found.updated)}
          </Button>
        ) : (
          <Button onClick={check} loading={preview.isPending} disabled={!content?.trim()}>
            {texts.check}
          </Button>
        )}
      </Group>
      {found && writes === 0 && <Alert color="gray">{texts.nothingNew}</Alert>}
      <Fault error={preview.error ?? addition.error} />
    </Stack>
  )
}

/** As many as one request takes. */
const mostTogether = 10

function Paste({ project, onDone }: PageProps & { onDone(): void }) {
  const [text, setText] = useState('')
  const change = useChange(AddPromptsDocument)
  async function add({ rejected }: Preview) {
    const faulty = new Set(rejected.map(({ line }) => line - 1))
    const lines = text.split('\n').map((line) => line.trim())
    const wanted = lines.filter((line, at) => line !== '' && !faulty.has(at + 1))
    let [created, existing] = [0, 0]
    for (let at = 0; at < wanted.length; at += mostTogether) {
      const prompts = wanted.slice(at, at + mostTogether).map((line) => ({ text: line }))
      const { addPrompts: answer } = await change.mutateAsync({ project: project.id, prompts })
      if (!answer || !('created' in answer)) continue
      created += answer.created
      existing += answer.existing.length
    }
    return texts.done(created, 0, existing, rejected.length)
  }
  return (
    <Stack gap="sm">
      <Textarea
        label={texts.title}
        description={texts.addLead}
        minRows={6}
        maxRows={12}
        autosize
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        data-autofocus
      />
      <Checked
        project={project}
        content={text.trim() ? fileOf(text.split('\n')) : undefined}
        above={1}
        add={add}
        onDone={onDone}
      />
    </Stack>
  )
}

interface File {
  readonly name: string
  readonly content: string
}

type Positions = Readonly<Partial<Record<PromptColumn, number>>>

const choicesOf = (positions: Positions): PromptColumnChoice[] =>
  Object.entries(positions).map(([column, position]) => ({
    column: column as PromptColumn,
    position,
  }))

function Csv({ project, onDone }: PageProps & { onDone(): void }) {
  const [file, setFile] = useState<File>()
  const [headers, setHeaders] = useState<readonly string[]>([])
  const change = useChange(ImportPromptsDocument)
  const [chosen, setChosen] = useState<Positions>()
  async function read(given: Blob & { readonly name: string }) {
    setHeaders([])
    setChosen(undefined)
    setFile({ name: given.name, content: await given.text() })
  }
  const columns = chosen && choicesOf(chosen)
  async function add() {
    const { importPrompts: answer } = await change.mutateAsync({
      project: project.id,
      content: file?.content ?? '',
      columns,
      file: file?.name,
    })
    if (!answer || !('created' in answer)) return ''
    const { created, updated, unchanged, rejected } = answer
    return texts.done(created, updated, unchanged, rejected.length)
  }
  return (
    <Stack gap="sm">
      <Drop
        label={texts.csv}
        accept={{
          'text/csv': ['.csv'],
          'text/tab-separated-values': ['.tsv'],
          'text/plain': ['.txt'],
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
        }}
        icon={<IconFileImport size={16} />}
        onFile={(given) => void read(given)}
      >
        <Text fw={600}>{file?.name ?? texts.dropCsv}</Text>
        <Text size="sm" c="dimmed">
          {texts.csvLead}
        </Text>
      </Drop>
      {headers.length > 0 && (
        <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }} spacing="xs">
          {Object.entries(texts.fileColumns).map(([column, label]) => (
            <Select
              key={column}
              label={label}
              placeholder={texts.noColumn}
              data={headers.map((header, at) => ({
                value: String(at),
                label: header.trim() || texts.columnAt(at + 1),
              }))}
              value={chosen?.[column as PromptColumn]?.toString() ?? null}
              clearable={column !== 'text'}
              error={column === 'text' && chosen?.text === undefined ? texts.chooseText : undefined}
              onChange={(value) => {
                const { [column as PromptColumn]: _before, ...others } = chosen ?? {}
                setChosen(value === null ? others : { ...others, [column]: Number(value) })
              }}
            />
          ))}
        </SimpleGrid>
      )}
      {file && (
        <Checked
          project={project}
          content={chosen && chosen.text === undefined ? undefined : file.content}
          {...(columns && { columns })}
          add={add}
          onPreview={({ columns: found }) => {
            if (chosen) return undefined
            setHeaders(found.map(({ header }) => header))
            const read = found.flatMap(({ column }, at) => (column ? [[column, at] as const] : []))
            const positions = Object.fromEntries(read)
            setChosen(positions)
            return choicesOf(positions)
          }}
          onDone={onDone}
        />
      )}
    </Stack>
  )
}

/** Adds prompts, pasted or from a CSV file, after a look at what would become of them. */
export function AddPrompts({ project, isMinor }: PageProps & { readonly isMinor?: true }) {
  const [isOpen, { open, close }] = useDisclosure()
  const may = useMay()
  if (!may(AddPromptsDocument)) return null
  return (
    <>
      <Button
        leftSection={<IconPlus size={16} />}
        onClick={open}
        {...(isMinor && { variant: 'default', size: 'xs' })}
      >
        {texts.add}
      </Button>
      <Modal opened={isOpen} onClose={close} title={texts.add} size="xl">
        <Tabs defaultValue="paste">
          <Tabs.List mb="md">
            <Tabs.Tab value="paste">{texts.paste}</Tabs.Tab>
            <Tabs.Tab value="csv">{texts.csv}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="paste">
            <Paste project={project} onDone={close} />
          </Tabs.Panel>
          <Tabs.Panel value="csv">
            <Csv project={project} onDone={close} />
          </Tabs.Panel>
        </Tabs>
      </Modal>
    </>
  )
}
