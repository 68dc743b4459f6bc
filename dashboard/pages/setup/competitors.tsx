import { ActionIcon, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowRight, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import {
  AddCompetitorDocument,
  RemoveCompetitorDocument,
  SeenBrandsDocument,
} from '../../documents.ts'
import { Fault } from '../../parts/act.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useUndo } from '../../parts/undo.tsx'
import { useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { heldKey, useHeld } from '../../state/held.ts'
import { seenBrands } from '../../texts/seeing.ts'
import { t } from '../../texts/texts.ts'
import { domainIn } from './domain.ts'
import type { StepPart } from './part.ts'
import { Foot } from './steps.tsx'

const { newProject: texts } = t

const mostSeen = 8

/** What the form of a competitor begins with. */
interface Start {
  readonly name: string
  readonly domain: string
}

/** A form for one competitor. Who types a domain as its name gets the domain filled in: nothing else is sure. */
function Add({ project, start }: { readonly project: string; readonly start: Start }) {
  const [name, setName] = useState(start.name)
  const [domain, setDomain] = useState(start.domain)
  const [isTried, setTried] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  const change = useChange(AddCompetitorDocument)
  function add(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (!name.trim() || !domainIn(domain)) return
    change.mutate(
      { project, name: name.trim(), domain: domain.trim() },
      {
        onSuccess: () => {
          setName('')
          setDomain('')
          setTried(false)
          first.current?.focus()
        },
      },
    )
  }
  return (
    <form onSubmit={add}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          ref={first}
          label={texts.competitor}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          onBlur={() => {
            const host = domain === '' ? domainIn(name) : null
            if (host) setDomain(host)
          }}
          error={isTried && !name.trim() && texts.brandNeeded}
          maxLength={200}
        />
        <TextInput
          label={texts.competitorDomain}
          value={domain}
          placeholder="example.com"
          onChange={({ currentTarget }) => setDomain(currentTarget.value)}
          error={isTried && !domainIn(domain) && texts.domainNeeded}
        />
      </SimpleGrid>
      <Fault error={change.error} />
      <Button
        type="submit"
        mt="sm"
        variant="light"
        loading={change.isPending}
        leftSection={<IconPlus size={16} />}
      >
        {texts.add}
      </Button>
    </form>
  )
}

/** The competitors so far, those that the site names, and a form for more. Each is saved at once. */
export function CompetitorsStep({ project, found, go }: StepPart) {
  const [start, setStart] = useState<Start>({ name: '', domain: '' })
  const { data } = useQuestion(SeenBrandsDocument, { project: project.id })
  const { holdChange } = useUndo()
  const held = useHeld()
  const next = useMutation({ mutationFn: go })
  const removalOf = (id: string) => ({ project: project.id, id })
  const competitors = (found.competitors?.nodes ?? []).filter(
    ({ id }) => !held.has(heldKey(RemoveCompetitorDocument, removalOf(id))),
  )
  const known = new Set(competitors.map(({ name }) => name.toLowerCase()))
  const compared = (found.setup?.proposals?.competitors ?? []).filter(
    (name) => !known.has(name.toLowerCase()),
  )
  const seen = (data?.project?.suggestedCompetitors?.competitors ?? []).slice(0, mostSeen)
  return (
    <Panel title={texts.competitorsTitle} sub={texts.competitorsLead}>
      <Stack gap="md">
        {competitors.length === 0 ? (
          <Text size="sm" c="dimmed">
            {texts.noCompetitors}
          </Text>
        ) : (
          <Stack gap={0} component="ul" className="plain" aria-label={texts.steps.competitors}>
            {competitors.map(({ id, name, domain }) => (
              <Group
                key={id}
                component="li"
                justify="space-between"
                py={6}
                wrap="nowrap"
                className="line"
              >
                <div className="wrap">
                  <Text size="sm" fw={600}>
                    {name}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {domain}
                  </Text>
                </div>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={texts.remove(name)}
                  onClick={() =>
                    holdChange(RemoveCompetitorDocument, removalOf(id), t.act.removed(name))
                  }
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </Group>
            ))}
          </Stack>
        )}
        {compared.length > 0 && (
          <Group gap="xs">
            <Text size="sm">{texts.compared}</Text>
            {compared.map((name) => (
              <Button
                key={name}
                size="compact-sm"
                variant="default"
                aria-label={texts.use(name)}
                onClick={() => setStart({ name, domain: '' })}
              >
                {name}
              </Button>
            ))}
          </Group>
        )}
        {seen.length > 0 && (
          <Group gap="xs">
            <Text size="sm">{seenBrands.inSetup}</Text>
            {seen.map(({ name, domain }) => (
              <Button
                key={name}
                size="compact-sm"
                variant="default"
                aria-label={texts.use(name)}
                onClick={() => setStart({ name, domain: domain ?? '' })}
              >
                {name}
              </Button>
            ))}
          </Group>
        )}
        <Add key={start.name} project={project.id} start={start} />
        <Fault error={next.error} />
      </Stack>
      <Foot words={texts.brands(competitors.length)}>
        <Button variant="default" onClick={() => next.mutate('brand')}>
          {texts.back}
        </Button>
        <Button
          loading={next.isPending}
          rightSection={<IconArrowRight size={16} />}
          onClick={() => next.mutate('prompts')}
        >
          {texts.next}
        </Button>
      </Foot>
    </Panel>
  )
}
