import {
  ActionIcon,
  Anchor,
  Badge,
  Box,
  Card,
  Group,
  SimpleGrid,
  Skeleton,
  Text,
  Tooltip,
} from '@mantine/core'
import { IconInfoCircle, IconTrendingDown, IconTrendingUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ReportUnit } from '../../core/reports/content.ts'
import { fewAnswers } from '../../web/share/charts.ts'
import { shown } from '../../web/share/numbers.ts'
import type { ChangeFragment, SureFragment } from '../documents.ts'
import { t } from '../texts/texts.ts'
import { More } from './more.tsx'
import { Sparkline } from './sparkline.tsx'

/** "34.1% to 52.4%"; empty for a number without an interval. */
export function rangeText(low: number | null, high: number | null, unit: ReportUnit): string {
  return low === null || high === null ? '' : t.sure.range(shown(low, unit), shown(high, unit))
}

/** The unit of a difference: percent points for a percentage. */
const unitOfChange = (unit: ReportUnit): ReportUnit => (unit === 'percent' ? 'points' : unit)

/** "+2.1 pts"; a true minus sign. */
export function changeText(change: number, unit: ReportUnit): string {
  const text = shown(change, 'points')
  return unitOfChange(unit) === 'points' ? t.change.points(text) : text
}

type Changed = Omit<ChangeFragment, ' $fragmentName'> | null | undefined

/** The interval of a change, and whether it is more than normal variation. */
function changeWords({ interval, isSignificant }: NonNullable<Changed>): string {
  const range = interval
    ? t.change.interval(shown(interval.low, 'points'), shown(interval.high, 'points'))
    : ''
  const chance =
    isSignificant === null ? t.change.unknown : isSignificant ? t.change.real : t.change.normal
  return [range, chance].filter(Boolean).join(' ')
}

interface DeltaProps {
  readonly change: Changed
  readonly unit: ReportUnit
  /** Lower is better, as for a position. */
  readonly isLowBetter?: boolean
  /** In a table: only the number. */
  readonly isSmall?: boolean
}

/** The change to the period before. Only a significant one has a colour. */
export function Delta({ change, unit, isLowBetter = false, isSmall = false }: DeltaProps) {
  if (change?.change == null) return null
  const isUp = change.change > 0
  const isGood = isUp !== isLowBetter
  const color = change.isSignificant && change.change !== 0 ? (isGood ? 'teal' : 'red') : 'gray'
  const Arrow = isUp ? IconTrendingUp : IconTrendingDown
  if (isSmall) {
    return (
      <Tooltip label={changeWords(change)}>
        <Text span size="xs" className="delta" c={color === 'gray' ? 'dimmed' : color}>
          {shown(change.change, 'points')}
        </Text>
      </Tooltip>
    )
  }
  return (
    <Tooltip label={changeWords(change)}>
      <Badge
        color={color}
        className="delta"
        leftSection={change.change !== 0 && <Arrow size={12} aria-hidden />}
      >
        {change.change === 0 ? t.change.same : changeText(change.change, unit)}
      </Badge>
    </Tooltip>
  )
}

/** A number, with its intervals where they are known. */
export type Metric = Pick<SureFragment, 'value' | 'denominator'> & Partial<SureFragment>

/** A number as readers write it. One that is unknown has no answers, or too few of them. */
export function valueText(
  { value, denominator }: Pick<Metric, 'value' | 'denominator'>,
  unit: ReportUnit,
): string {
  return value === null && denominator > 0 ? t.tooFew : shown(value, unit)
}

/** What a number says of itself: interval, base, and what to be careful about. */
function certainty(metric: Metric, unit: ReportUnit): readonly string[] {
  const { low = null, high = null, basketLow = null, basketHigh = null } = metric
  const range = rangeText(low, high, unit)
  const exact = rangeText(basketLow, basketHigh, unit)
  const caveat = metric.caveat ? t.sure.caveats[metric.caveat] : undefined
  return [
    range && t.sure.like(range),
    exact && exact !== range ? t.sure.exactly(exact) : '',
    caveat ?? '',
  ].filter(Boolean)
}

const isFew = ({ denominator }: Pick<SureFragment, 'denominator'>) =>
  denominator > 0 && denominator < fewAnswers

interface FigureProps {
  readonly label: string
  readonly unit: ReportUnit
  readonly metric: Metric
  /** In place of the value of the metric, such as a rank. */
  readonly value?: string
  readonly words: ReactNode
  /** What the number means, before its intervals. */
  readonly hint?: string
  /** Shows more about the number. */
  readonly onAbout?: () => void
  /** Entries of the menu of what else can be done. */
  readonly menu?: ReactNode
  /** Absent where the page compares nothing. */
  readonly change?: Changed
  readonly isLowBetter?: boolean
  /** Values over time, for a small line. */
  readonly trend?: readonly (number | null)[] | undefined
  /** Change and trend are on their way: their places are kept. */
  readonly isPending?: boolean
  /** The change alone is on its way; by default it comes with the trend. */
  readonly isChangePending?: boolean
  /** The page that lists what the number counts. */
  readonly href?: string | undefined
}

/** One of the headline numbers of a page, with its change; the intervals are in the tooltip. */
export function Figure(props: FigureProps) {
  const { label, unit, metric, words, hint, onAbout, change, isLowBetter, trend, isPending, href } =
    props
  const value = props.value ?? valueText(metric, unit)
  const notes = [hint ?? '', ...certainty(metric, unit)].filter(Boolean)
  return (
    <FigureCard label={label} notes={notes} onAbout={onAbout} menu={props.menu}>
      <Group align="center" gap="xs" mt={2} wrap="wrap">
        <Big value={value} href={href} label={label} />
        {(props.isChangePending ?? isPending) ? (
          <Skeleton h={20} w={unit === 'percent' ? 94 : 68} radius="sm" />
        ) : (
          <Delta change={change} unit={unit} {...(isLowBetter && { isLowBetter })} />
        )}
      </Group>
      <Text size="xs" c="dimmed" mt={4} component="div">
        {words}
        {isFew(metric) && <> · {t.sure.few(metric.denominator)}</>}
      </Text>
      {isPending && <Skeleton className="sparkline" h={36} />}
      {!isPending && trend && trend.length > 1 && (
        <Sparkline values={trend} label={label} unit={unit} />
      )}
    </FigureCard>
  )
}

interface BigProps {
  readonly value: string
  readonly href: string | undefined
  readonly label: string
  /** Words in place of a number. */
  readonly isText?: boolean
}

function Big({ value, href, label, isText = false }: BigProps) {
  const text = (
    <Text component="span" className={isText ? 'figure-text' : 'figure-value'}>
      {value}
    </Text>
  )
  if (!href) return text
  return (
    <Anchor component={Link} href={href} c="inherit" aria-label={`${label}: ${value}`}>
      {text}
    </Anchor>
  )
}

function FigureCard({
  label,
  notes,
  onAbout,
  menu,
  children,
}: {
  readonly label: string
  readonly notes: readonly string[]
  readonly onAbout?: (() => void) | undefined
  readonly menu?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <Card component="li" className="figure" aria-label={label}>
      <Group justify="space-between" wrap="nowrap" gap={4} mih={28}>
        <Text component="h2" size="sm" c="dimmed" fw={600}>
          {label}
        </Text>
        {notes.length > 0 && (
          <Tooltip
            label={notes.map((note) => (
              <Text key={note} size="xs">
                {note}
              </Text>
            ))}
          >
            <ActionIcon
              variant="transparent"
              color="gray"
              size="sm"
              onClick={onAbout}
              aria-label={t.sure.about(label, notes.join(' '))}
            >
              <IconInfoCircle size={16} />
            </ActionIcon>
          </Tooltip>
        )}
        {menu && (
          <Box ml="auto">
            <More of={label}>{menu}</More>
          </Box>
        )}
      </Group>
      {children}
    </Card>
  )
}

interface CountFigureProps {
  readonly label: string
  readonly value: string
  readonly words: ReactNode
  readonly hint?: string
  readonly href?: string
  /** The value is words, not a number. */
  readonly isText?: boolean
  /** Against the period before: a count has no interval, so its change has no colour. */
  readonly change?: number | null | undefined
  /** Before the value. */
  readonly icon?: ReactNode
  readonly children?: ReactNode
}

/** A headline number that is counted, not estimated: it has no interval. */
export function CountFigure(props: CountFigureProps) {
  const { label, value, words, hint, href, isText = false, change, icon, children } = props
  return (
    <FigureCard label={label} notes={hint ? [hint] : []}>
      <Group align="center" gap="xs" mt={2} wrap="wrap">
        {icon}
        <Big value={value} href={href} label={label} isText={isText} />
        {change != null && (
          <Badge color="gray">
            {change === 0
              ? t.change.same
              : t.change.count(shown(Math.abs(change), 'count'), change > 0)}
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" mt={4} component="div">
        {words}
      </Text>
      {children}
    </FigureCard>
  )
}

/** The headline numbers of a page, side by side. */
export function Figures({ children }: { readonly children: ReactNode }) {
  return (
    <SimpleGrid component="ul" className="figures" cols={{ base: 2, md: 4 }} spacing="md" mb="md">
      {children}
    </SimpleGrid>
  )
}
