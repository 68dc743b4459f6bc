import { Anchor, Button, Center, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { CreateProjectDocument, ProposeSetupDocument, ShellDocument } from '../documents.ts'
import { Fault } from '../parts/act.tsx'
import { Panel } from '../parts/panel.tsx'
import { Logo } from '../shell/logo.tsx'
import { pathOf } from '../state/address.ts'
import { ask } from '../state/ask.ts'
import { useChange } from '../state/change.ts'
import { t } from '../texts/texts.ts'
import { domainIn } from './setup/domain.ts'
import { Foot, Steps } from './setup/steps.tsx'

const { newProject: texts } = t

export interface Home {
  readonly id: string
  readonly name: string
}

/** Begins a project with its brand and domain, and has the site read. From then on the service knows it. */
export function NewProject({ home, back }: { readonly home: Home; readonly back?: string }) {
  const [, go] = useLocation()
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [domain, setDomain] = useState('')
  const [isTried, setTried] = useState(false)
  const creation = useChange(CreateProjectDocument)
  const proposal = useChange(ProposeSetupDocument)
  useEffect(() => {
    document.title = `${texts.title} – ${t.product}`
  }, [])
  const begin = useMutation({
    mutationFn: async () => {
      const { createProject: made } = await creation.mutateAsync({
        workspace: home.id,
        name: name.trim(),
        domain: domain.trim(),
      })
      if (!made || !('project' in made)) return
      const project = made.project.id
      // Without proposals a project is set up by hand.
      await proposal.mutateAsync({ project }).catch(() => undefined)
      const shell = await ask(ShellDocument, {})
      client.setQueryData([ShellDocument.toString(), {}], shell)
      go(pathOf(project, 'setup', 'brand'))
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (name.trim() && domainIn(domain)) begin.mutate()
  }
  return (
    <Center p="md" component="main" id="page">
      <Stack w="100%" py="lg">
        <Group gap="xs" maw={920} mx="auto" w="100%">
          <Logo />
          <Text fw={750}>{t.product}</Text>
        </Group>
        <Steps step="brand" reached="brand">
          <Panel title={texts.brandTitle} sub={texts.brandLead}>
            <form onSubmit={submit} noValidate>
              <Stack gap="md">
                <TextInput
                  label={texts.brand}
                  value={name}
                  onChange={({ currentTarget }) => setName(currentTarget.value)}
                  error={isTried && !name.trim() && texts.brandNeeded}
                  maxLength={200}
                />
                <TextInput
                  label={texts.domain}
                  value={domain}
                  placeholder="example.com"
                  onChange={({ currentTarget }) => setDomain(currentTarget.value)}
                  error={isTried && !domainIn(domain) && texts.domainNeeded}
                />
                <Fault error={begin.error} />
              </Stack>
              <Foot words={texts.workspace(home.name)}>
                {back !== undefined && (
                  <Anchor component={Link} href={back} size="sm" p="xs">
                    {texts.cancel}
                  </Anchor>
                )}
                <Button
                  type="submit"
                  loading={begin.isPending}
                  rightSection={<IconArrowRight size={16} />}
                >
                  {texts.create}
                </Button>
              </Foot>
            </form>
          </Panel>
        </Steps>
      </Stack>
    </Center>
  )
}
