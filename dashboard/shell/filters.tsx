import { Anchor, Button, Checkbox, Drawer, Popover, ScrollArea, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconChevronDown } from '@tabler/icons-react'
import { Fragment } from 'react'
import { FiltersDocument } from '../documents.ts'
import type { FilterName } from '../pages/pages.ts'
import type { Project } from '../parts/page.ts'
import { type AddressState, listOf, useAddress, waysOf } from '../state/address.ts'
import { useQuestion } from '../state/ask.ts'
import { t } from '../texts/texts.ts'
import { DateRange } from './date-range.tsx'

interface Choice {
  readonly value: string
  readonly label: string
}

interface ChooseProps {
  readonly title: string
  /** What the button says while nothing is chosen. */
  readonly all: string
  readonly name: 'platforms' | 'locations' | 'how'
  readonly choices: readonly Choice[]
}

function Checkboxes({ title, name, choices }: ChooseProps) {
  const { state, set } = useAddress()
  return (
    <Checkbox.Group
      label={title}
      value={listOf(state[name])}
      onChange={(chosen) => set({ [name]: chosen.join(',') || undefined } as AddressState)}
    >
      <Stack gap="xs" mt="xs">
        {choices.map(({ value, label }) => (
          <Checkbox key={value} value={value} label={label} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

/** A button that says what is chosen and opens the list of choices. */
function Choose(props: ChooseProps) {
  const { title, all, name, choices } = props
  const { state, set } = useAddress()
  const chosen = listOf(state[name])
  const [first] = chosen
  const label =
    chosen.length === 0
      ? all
      : chosen.length === 1
        ? (choices.find(({ value }) => value === first)?.label ?? title)
        : t.shell.chosen(title, chosen.length)
  if (choices.length < 2 && chosen.length === 0) return null
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button
          variant={chosen.length ? 'light' : 'default'}
          size="xs"
          rightSection={<IconChevronDown size={14} />}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ScrollArea.Autosize mah={360}>
          <Checkboxes {...props} />
        </ScrollArea.Autosize>
        {chosen.length > 0 && (
          <Button
            variant="subtle"
            size="compact-xs"
            mt="sm"
            onClick={() => set({ [name]: undefined } as AddressState)}
          >
            {t.shell.clear}
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

/** One way to obtain answers is none to choose from. */
const isChoice = ({ name, choices }: ChooseProps) => choices.length > (name === 'how' ? 1 : 0)

interface FiltersProps {
  readonly project: Project
  /** Those that change something on this page. */
  readonly names: readonly FilterName[]
  /** Each filter as a button, for the header of a wide screen; else those of answers in a sheet. */
  readonly isWide?: boolean
}

/** The filters of a page. */
export function Filters({ project, names, isWide = false }: FiltersProps) {
  const { window, state } = useAddress()
  const [isOpen, { open, close }] = useDisclosure()
  const { data } = useQuestion(FiltersDocument, { project: project.id, window })
  if (names.length === 0) return null
  const found = data?.project
  const platforms = (found?.visibilityByPlatform?.platforms ?? []).map(
    ({ platform: { slug, displayName } }) => ({ value: slug, label: displayName }),
  )
  const locations = (found?.locations?.nodes ?? []).map(({ id, countryCode, city }) => ({
    value: id,
    label: t.place(countryCode, city),
  }))
  const ways = (found?.agreement?.ways ?? []).map(({ obtained }) => ({
    value: obtained,
    label: t.shell.ways[obtained],
  }))
  const choices: readonly ChooseProps[] = [
    { title: t.shell.platforms, all: t.shell.allPlatforms, name: 'platforms', choices: platforms },
    { title: t.shell.locations, all: t.shell.allLocations, name: 'locations', choices: locations },
    { title: t.shell.how, all: t.shell.anyHow, name: 'how', choices: ways },
  ]
  const own = choices.filter(({ name }) => names.includes(name))
  const active = own.filter(({ name }) => state[name]).length
  const range = names.includes('range') && <DateRange available={found?.dataAvailable} />
  if (isWide) {
    return (
      <>
        {range}
        {own.map((each) => (
          <Choose key={each.name} {...each} />
        ))}
      </>
    )
  }
  return (
    <>
      {range}
      {own.length > 0 && (
        <Button
          variant={active ? 'light' : 'default'}
          size="xs"
          leftSection={<IconAdjustmentsHorizontal size={14} />}
          onClick={open}
        >
          {active ? t.shell.filtersOf(active) : t.shell.filters}
        </Button>
      )}
      <Drawer opened={isOpen} onClose={close} position="bottom" size="auto" title={t.shell.filters}>
        <Stack gap="lg" pb="md">
          {own.filter(isChoice).map((each) => (
            <Checkboxes key={each.name} {...each} />
          ))}
          <Button onClick={close}>{t.shell.show}</Button>
        </Stack>
      </Drawer>
    </>
  )
}

/** Says above the numbers of a page that they count answers of several ways, and leads to each way. */
export function Mixed({ project, names }: Pick<FiltersProps, 'project' | 'names'>) {
  const { window, state, set } = useAddress()
  const { data } = useQuestion(FiltersDocument, { project: project.id, window })
  const chosen = waysOf(state)
  const ways = (data?.project?.agreement?.ways ?? []).filter(
    ({ obtained }) => chosen.length === 0 || chosen.includes(obtained),
  )
  if (!names.includes('how') || ways.length < 2) return null
  return (
    <Text size="sm" c="dimmed" className="mixed">
      {t.shell.mixed}{' '}
      {ways.map(({ obtained, answerCount }, at) => (
        <Fragment key={obtained}>
          {at > 0 && ' · '}
          <Anchor component="button" type="button" size="sm" onClick={() => set({ how: obtained })}>
            {t.shell.wayOf(t.shell.ways[obtained], answerCount)}
          </Anchor>
        </Fragment>
      ))}
    </Text>
  )
}
