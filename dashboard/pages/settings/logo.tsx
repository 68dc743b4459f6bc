import { Alert, Button, FileButton, Group, Image, Text } from '@mantine/core'
import { useState } from 'react'
import { mostLogoBytes } from '../../../core/reports/limits.ts'
import { LogoDocument, RemoveLogoDocument, SetLogoDocument } from '../../documents.ts'
import { Act, Fault } from '../../parts/act.tsx'
import { May } from '../../parts/may.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { heldKey, useHeld } from '../../state/held.ts'
import { t } from '../../texts/texts.ts'

const kinds = ['image/png', 'image/jpeg', 'image/webp']

/** The file in base64. */
async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** The logo of the brand, and a button that sets another. */
export function BrandLogo({ project }: { readonly project: string }) {
  const { data } = useQuestion(LogoDocument, { project })
  const change = useChange(SetLogoDocument)
  const [fault, setFault] = useState<string>()
  const isGoing = useHeld().has(heldKey(RemoveLogoDocument, { project }))
  const url = isGoing ? undefined : data?.project?.logoUrl
  async function send(file: File | null) {
    if (!file) return
    const refused = !kinds.includes(file.type)
      ? t.settings.logoKind
      : file.size > mostLogoBytes
        ? t.settings.logoTooLarge
        : undefined
    setFault(refused)
    if (!refused) change.mutate({ project, image: await base64Of(file) })
  }
  return (
    <Panel title={t.settings.logo} sub={t.settings.logoLead}>
      <Group gap="md">
        {url ? (
          <Image src={new URL(url).pathname} alt={t.settings.logo} h={48} w="auto" maw={240} />
        ) : (
          <Text size="sm" c="dimmed">
            {t.settings.logoNone}
          </Text>
        )}
        <May make={SetLogoDocument}>
          <FileButton
            accept={kinds.join(',')}
            onChange={(file) => void send(file)}
            inputProps={{ 'aria-label': t.settings.logoChoose }}
          >
            {(props) => (
              <Button {...props} size="xs" variant="light" loading={change.isPending}>
                {t.settings.logoChoose}
              </Button>
            )}
          </FileButton>
        </May>
        {url && (
          <Act
            label={t.settings.logoRemove}
            document={RemoveLogoDocument}
            variables={{ project }}
            held={t.settings.logoRemoved}
          />
        )}
      </Group>
      {fault && (
        <Alert color="red" role="alert" p="xs" mt="xs">
          {fault}
        </Alert>
      )}
      <Fault error={change.error} />
    </Panel>
  )
}
