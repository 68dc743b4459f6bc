import {
  Button,
  Divider,
  Group,
  NavLink,
  Popover,
  Select,
  Skeleton,
  Stack,
  Text,
  VisuallyHidden,
} from '@mantine/core'
import { IconCalendar, IconChevronDown } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { defaultDays, useAddress } from '../state/address.ts'
import { t } from '../texts/texts.ts'
import type { Days } from './calendar.tsx'

const loadCalendar = async () => ({ default: (await import('./calendar.tsx')).Calendar })
const Calendar = lazy(loadCalendar)

const presets = [7, 28, 30, 90, 365]

interface DateRangeProps {
  /** The days that have answers. */
  readonly available?: { readonly from: string; readonly to: string } | null | undefined
}

/** The days of the page: a preset or days from a calendar, and what they are compared with. */
export function DateRange({ available }: DateRangeProps) {
  const { state, set } = useAddress()
  const [isOpen, setOpen] = useState(false)
  const { from, to, compare = 'previous_period' } = state
  const [days, setDays] = useState<Days>([from ?? null, to ?? null])
  const label =
    from && to ? t.shell.days(from, to) : t.shell.lastDays(Number(state.days) || defaultDays)
  const isPreset = (each: number) => !from && (Number(state.days) || defaultDays) === each
  function preset(each: number) {
    set({ days: String(each), from: undefined, to: undefined })
    setDays([null, null])
    setOpen(false)
  }
  function pick(picked: Days) {
    setDays(picked)
    const [first, last] = picked
    if (!first || !last) return
    set({ from: first, to: last, days: undefined })
    setOpen(false)
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconCalendar size={14} />}
          rightSection={<IconChevronDown size={14} />}
          onClick={() => setOpen(!isOpen)}
          onPointerEnter={() => void loadCalendar().catch(() => undefined)}
        >
          <VisuallyHidden>{t.shell.dateRange}: </VisuallyHidden>
          {label}
          {compare !== 'none' && (
            <Text span c="dimmed" size="xs" ml={6} visibleFrom="lg">
              {t.shell.versus[compare as 'previous_period']}
            </Text>
          )}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <Group align="flex-start" gap="xs" wrap="wrap">
          <Stack gap={0} w={150}>
            {presets.map((each) => (
              <NavLink
                key={each}
                component="button"
                label={t.shell.lastDays(each)}
                active={isPreset(each)}
                onClick={() => preset(each)}
              />
            ))}
            <Divider my="xs" />
            <Select
              label={t.shell.compare}
              size="xs"
              value={compare}
              data={Object.entries(t.shell.versus).map(([value, text]) => ({ value, label: text }))}
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
              onChange={(value) =>
                set({ compare: value === 'previous_period' ? undefined : (value ?? undefined) })
              }
            />
          </Stack>
          <Suspense fallback={<Skeleton w={252} h={292} />}>
            <Calendar
              days={days}
              shown={to ?? available?.to ?? new Date().toISOString().slice(0, 10)}
              onPick={pick}
            />
          </Suspense>
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}
