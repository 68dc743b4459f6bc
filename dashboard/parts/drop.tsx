import { Button, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.css'
import { type ReactNode, useRef, useState } from 'react'
import { readable } from '../state/workbook.ts'
import { t } from '../texts/texts.ts'

interface DropProps {
  /** Of the place, for those who do not see it. */
  readonly label: string
  /** Of the field behind the button; that of the place, unless it is given. */
  readonly fieldLabel?: string
  /** MIME types with the extensions of files; any file, unless it is given. */
  readonly accept?: Readonly<Record<string, string[]>>
  readonly icon?: ReactNode
  readonly isBusy?: boolean
  readonly children: ReactNode
  onFile(file: File): void
}

/** A place to drop a file on, with a button that chooses one. A workbook comes as the CSV of its sheet. */
export function Drop(props: DropProps) {
  const { label, fieldLabel = label, accept, icon, isBusy = false, children, onFile } = props
  const choose = useRef<() => void>(null)
  const [refused, setRefused] = useState<string>()
  async function take(file: File) {
    setRefused(undefined)
    const found = await readable(file).catch(() => setRefused(file.name))
    if (found) onFile(found)
  }
  return (
    <Dropzone
      component="section"
      role="group"
      aria-label={label}
      onDrop={([file]) => file && void take(file)}
      onReject={([rejected]) => setRefused(rejected?.file.name)}
      openRef={choose}
      multiple={false}
      disabled={isBusy}
      activateOnClick={false}
      activateOnKeyboard={false}
      enablePointerEvents
      inputProps={{ 'aria-label': fieldLabel }}
      classNames={{ inner: 'drop' }}
      {...(accept && { accept })}
    >
      {children}
      <Button
        variant="light"
        disabled={isBusy}
        leftSection={icon}
        onClick={() => choose.current?.()}
      >
        {t.imports.choose}
      </Button>
      {refused && (
        <Text size="sm" c="red" role="alert">
          {t.imports.refused(refused)}
        </Text>
      )}
    </Dropzone>
  )
}
