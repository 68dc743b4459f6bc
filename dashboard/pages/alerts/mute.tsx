import { Button, Menu } from '@mantine/core'
import { MuteMonitorDocument, UnmuteMonitorDocument } from '../../documents.ts'
import { Act, Fault } from '../../parts/act.tsx'
import { useChange } from '../../state/change.ts'
import { useMay } from '../../state/may.ts'
import { alerts as texts } from '../../texts/english/alerts.ts'

const dayMs = 86_400_000
const choices = [1, 7, 30, 90]

interface MuteProps {
  readonly project: string
  readonly monitor: {
    readonly id: string
    readonly title: string
    readonly muteEndsAt: string | null
  }
}

export const isMuted = ({ muteEndsAt }: { readonly muteEndsAt: string | null }) =>
  muteEndsAt !== null && Date.parse(muteEndsAt) > Date.now()

/** Sends no messages about a monitor for some days, or does again. */
export function Mute({ project, monitor }: MuteProps) {
  const change = useChange(MuteMonitorDocument)
  const may = useMay()
  const { id, title } = monitor
  if (!may(MuteMonitorDocument)) return null
  if (isMuted(monitor)) {
    return (
      <Act
        label={texts.unmute}
        of={title}
        document={UnmuteMonitorDocument}
        variables={{ project, id }}
      />
    )
  }
  const mute = (days: number) =>
    change.mutate({ project, id, until: new Date(Date.now() + days * dayMs).toISOString() })
  return (
    <>
      <Menu position="bottom-start" shadow="md">
        <Menu.Target>
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            loading={change.isPending}
            aria-label={`${texts.mute}: ${title}`}
          >
            {texts.mute}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label maw={240}>{texts.muteHint}</Menu.Label>
          {choices.map((days) => (
            <Menu.Item key={days} onClick={() => mute(days)}>
              {texts.muteFor(days)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Fault error={change.error} />
    </>
  )
}
