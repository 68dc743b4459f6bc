import { Alert, Button, Checkbox, Group, NativeSelect, Select, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type FormEvent, useEffect, useState } from 'react'
import { ShellDocument } from '../documents.ts'
import { SignInCard, typedText, useTry } from '../parts/sign-in-card.tsx'
import { Loading } from '../parts/states.tsx'
import { get, post, SignInError, signedOut } from '../state/session.ts'
import { wholeList } from '../state/whole.ts'
import { connect } from '../texts/connecting.ts'
import { t } from '../texts/texts.ts'

/** What the service says of the client that asks. */
interface Asked {
  readonly name: string
  readonly host: string
  readonly documentHost: string | null
  readonly target: 'site' | 'app' | 'computer'
  readonly isKnown: boolean
  readonly scopes: readonly string[]
}

interface ProjectChoice {
  readonly value: string
  readonly label: string
}

async function load() {
  const [asked, projects] = await Promise.all([
    get<Asked>(location.pathname),
    wholeList(ShellDocument, {}, ({ projects: found }) => found),
  ])
  const choices = projects.map(
    ({ id, name, domain }): ProjectChoice => ({ value: id, label: `${name} (${domain})` }),
  )
  return { asked, choices }
}

/** Why a person should look twice before they allow this. */
function Warning({ target, isKnown }: Asked) {
  if (target === 'site' && isKnown) return null
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} p="xs">
      <Text size="sm">{connect.warnings[target]}</Text>
    </Alert>
  )
}

/** The page that asks whether an AI client may connect. It asks each time. */
export function Connect() {
  const [found, setFound] = useState<Awaited<ReturnType<typeof load>>>()
  const [project, setProject] = useState<string | null>(null)
  const { attempt, said, isBusy } = useTry()
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once
  useEffect(() => {
    void attempt(async () => {
      try {
        setFound(await load())
      } catch (error) {
        if (error instanceof SignInError && error.code === 'unauthorized') signedOut()
        throw error
      }
    })
  }, [])
  const title = found ? connect.title(found.asked.name) : connect.over
  useEffect(() => {
    if (found) document.title = `${title} – ${t.product}`
  }, [found, title])
  if (!found) {
    return said ? (
      <SignInCard title={title} lead={connect.again}>
        {said}
      </SignInCard>
    ) : (
      <Loading />
    )
  }
  const { asked, choices } = found
  const decide = (body: object) =>
    attempt(async () => {
      const { to } = await post<{ to: string }>(location.pathname, body)
      location.assign(to)
    })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const has = (name: string) => new FormData(form).has(name)
    void decide({
      decision: 'allow',
      write: has('write'),
      draft: has('draft'),
      projectId: project,
      days: Number(typedText(form, 'days')),
    })
  }
  const hint = (scope: string) => (asked.scopes.includes(scope) ? connect.asked : undefined)
  return (
    <SignInCard title={title} lead={connect.lead(asked.name)}>
      <div>
        <Text size="sm" c="dimmed">
          {connect.backTo}
        </Text>
        <Text className="wrap consent-host">{asked.host}</Text>
        {asked.documentHost && asked.documentHost !== asked.host && (
          <Text size="sm" c="dimmed" className="wrap">
            {connect.documented(asked.documentHost)}
          </Text>
        )}
      </div>
      <Warning {...asked} />
      {said}
      <form onSubmit={submit}>
        <Stack gap="md">
          <Stack gap="xs" role="group" aria-label={connect.rights}>
            <Text size="sm" fw={500}>
              {connect.rights}
            </Text>
            <Checkbox checked disabled label={connect.read} readOnly />
            <Checkbox name="write" label={connect.write} description={hint('write')} />
            <Checkbox name="draft" label={connect.draft} description={hint('prompt:draft')} />
          </Stack>
          <Select
            label={connect.project}
            placeholder={connect.all}
            data={choices}
            value={project}
            onChange={setProject}
            nothingFoundMessage={connect.nothingFound}
            searchable
            clearable
          />
          <NativeSelect
            name="days"
            label={connect.ends}
            data={Object.entries(connect.days).map(([value, label]) => ({ value, label }))}
            defaultValue="90"
          />
          <Group grow>
            <Button
              variant="default"
              disabled={isBusy}
              onClick={() => void decide({ decision: 'deny' })}
            >
              {connect.deny}
            </Button>
            <Button type="submit" loading={isBusy}>
              {connect.allow}
            </Button>
          </Group>
        </Stack>
      </form>
    </SignInCard>
  )
}
