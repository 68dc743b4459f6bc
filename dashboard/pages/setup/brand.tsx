import { Badge, Button, Stack, TagsInput, Textarea, TextInput } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { SaveBrandDocument } from '../../documents.ts'
import { Fault } from '../../parts/act.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useChange } from '../../state/change.ts'
import { t } from '../../texts/texts.ts'
import type { StepPart } from './part.ts'
import { Proposing } from './proposing.tsx'
import { Foot } from './steps.tsx'

const { newProject: texts } = t

interface Edited {
  readonly name?: string
  readonly description?: string
  readonly aliases?: string[]
}

/** The names of the brand: as the reader edits them, as its site proposes them, or as they are. */
export function BrandStep(props: StepPart) {
  const { project, found, go } = props
  const [edited, setEdited] = useState<Edited>({})
  const save = useChange(SaveBrandDocument)
  const proposals = found.setup?.proposals
  // Once the step is done, what is saved counts.
  const isNew = found.setup?.step === 'brand'
  const offered = isNew ? proposals : undefined
  const name = edited.name ?? offered?.name ?? found.name
  const description =
    edited.description ?? found.brandProfile?.description ?? offered?.description ?? ''
  const aliases = edited.aliases ?? [
    ...new Set([...(found.aliases ?? []), ...(offered?.aliases ?? [])]),
  ]
  const next = useMutation({
    mutationFn: async () => {
      const profile = {
        name: name.trim(),
        aliases,
        ...(description.trim() && { description: description.trim() }),
      }
      await save.mutateAsync({ project: project.id, profile: JSON.stringify(profile) })
      await go('competitors')
    },
  })
  const mark = (
    <Badge size="xs" variant="light">
      {texts.proposed}
    </Badge>
  )
  const isOffered = (field: keyof Edited, value: unknown) =>
    edited[field] === undefined && value !== null && value !== undefined && mark
  return (
    <Panel title={texts.namesTitle}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim()) next.mutate()
        }}
      >
        <Stack gap="md">
          <Proposing {...props} of="site" />
          <TextInput
            label={texts.brand}
            value={name}
            onChange={({ currentTarget }) => setEdited({ ...edited, name: currentTarget.value })}
            description={isOffered('name', offered?.name)}
            error={name.trim() === '' && texts.brandNeeded}
            maxLength={200}
          />
          <Textarea
            label={texts.description}
            description={
              isOffered(
                'description',
                found.brandProfile?.description ? null : offered?.description,
              ) || texts.descriptionHint
            }
            value={description}
            onChange={({ currentTarget }) =>
              setEdited({ ...edited, description: currentTarget.value.replaceAll('\n', ' ') })
            }
            autosize
            minRows={2}
            maxLength={200}
          />
          <TagsInput
            label={texts.aliases}
            description={texts.aliasesHint}
            value={aliases}
            onChange={(value) => setEdited({ ...edited, aliases: value })}
            acceptValueOnBlur
            clearable
          />
          <Fault error={next.error} />
        </Stack>
        <Foot>
          <Button
            type="submit"
            loading={next.isPending}
            rightSection={<IconArrowRight size={16} />}
          >
            {texts.next}
          </Button>
        </Foot>
      </form>
    </Panel>
  )
}
