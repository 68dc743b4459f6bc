import {
  Badge,
  Button,
  Collapse,
  Group,
  SegmentedControl,
  Select,
  Skeleton,
  Stack,
  Text,
  Title,
  Tooltip,
  UnstyledButton,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { count } from '../../../web/share/numbers.ts'
import {
  AssigneesDocument,
  type AssigneesQuery,
  AssignOpportunityDocument,
  CompleteOpportunityDocument,
  DismissOpportunityDocument,
  OpportunitiesDocument,
  type OpportunitiesQuery,
  type OpportunityAction,
  type OpportunityStatus,
  ReopenOpportunityDocument,
} from '../../documents.ts'
import { Act, Fault, ReasonAct } from '../../parts/act.tsx'
import { DomainLink, PageLink, PromptLink } from '../../parts/links.tsx'
import { Outside } from '../../parts/outside.tsx'
import type { Opening, PageProps, Visit } from '../../parts/page.ts'
import { Panel } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import type { Undoing } from '../../parts/undo.tsx'
import { useAddress } from '../../state/address.ts'
import { prefetch, useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { useMay } from '../../state/may.ts'
import { t } from '../../texts/texts.ts'
import { Actions } from './action.tsx'
import { subjectOf } from './ways.ts'

const { opportunities: texts } = t

const Worked = lazy(async () => ({ default: (await import('./worked.tsx')).Worked }))

type One = NonNullable<NonNullable<OpportunitiesQuery['project']>['opportunities']>['nodes'][number]
type Members = NonNullable<
  NonNullable<NonNullable<AssigneesQuery['project']>['workspace']>['members']
>['nodes']

const levelColors = { high: 'teal', medium: 'blue', low: 'gray' } as const

interface OneProps {
  readonly project: string
  readonly opportunity: One
  readonly members: Members
}

function Evidence({ project, opportunity }: Omit<OneProps, 'members'>) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const { title, description, evidence } = opportunity
  return (
    <div>
      <UnstyledButton
        onClick={toggle}
        aria-expanded={isOpen}
        aria-label={`${texts.numbers}: ${title}`}
      >
        <Text size="xs" c="dimmed" component="span">
          {texts.numbers} <IconChevronDown size={12} aria-hidden />
        </Text>
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        <Text size="sm" mt={4}>
          {description}
        </Text>
        <Stack gap={4} mt={4} component="ul" className="plain">
          {evidence
            .map((row) => ({ ...row, ...subjectOf(row) }))
            .map(({ label, count: times, url, query, domain, prompt }) => (
              <li key={[label, url, query, domain, prompt?.id].join()}>
                <Text size="sm" span className="wrap">
                  {label}: <b>{count(times)}</b>{' '}
                  {query && (
                    <PageLink project={project} to={['answers']} state={{ query }}>
                      “{query}”
                    </PageLink>
                  )}
                  {prompt && <PromptLink project={project} prompt={prompt} />}
                  {url && <Outside url={url} />}
                  {!url && domain && <DomainLink project={project} domain={domain} />}
                </Text>
              </li>
            ))}
        </Stack>
      </Collapse>
    </div>
  )
}

/** Who works on it. */
function Assignee({ project, opportunity, members }: OneProps) {
  const change = useChange(AssignOpportunityDocument)
  const may = useMay()
  const { id, title, assignee } = opportunity
  if (members.length === 0 || !may(AssignOpportunityDocument)) {
    return assignee && <Text size="xs">{texts.assigned(assignee.name)}</Text>
  }
  return (
    <>
      <Select
        size="xs"
        w={170}
        placeholder={texts.assign}
        aria-label={`${texts.assign}: ${title}`}
        data={members.map(({ userId, name, email }) => ({ value: userId, label: name || email }))}
        value={assignee?.userId ?? null}
        onChange={(user) => change.mutate({ project, id, user })}
        clearable
        disabled={change.isPending}
      />
      <Fault error={change.error} />
    </>
  )
}

/** What came of it, or why it was dismissed. */
function Ending({ opportunity }: Pick<OneProps, 'opportunity'>) {
  const { status, completedAt, dismissedAt, autoResolvedAt, dismissedReason, outcome } = opportunity
  const day = t.day(completedAt ?? dismissedAt ?? autoResolvedAt ?? opportunity.createdAt)
  const when = {
    active: '',
    completed: texts.doneOn(day),
    dismissed: texts.dismissedOn(day, dismissedReason ?? ''),
    auto_resolved: texts.resolvedOn(day),
  }[status]
  const isBetter = (outcome?.change ?? 0) > 0 !== (outcome?.metric === 'negative')
  return (
    <div>
      <Text size="sm" c="dimmed">
        {when}
      </Text>
      {outcome && (
        <Text size="sm" {...(outcome.isSignificant && { c: isBetter ? 'teal' : 'red', fw: 600 })}>
          {outcome.text}
        </Text>
      )}
    </div>
  )
}

function Card({ project, opportunity, members }: OneProps) {
  const { id, title, effect, effort, status } = opportunity
  const variables = { project, id }
  const offer =
    (said: string) =>
    ({ offerInverse }: Undoing) =>
      offerInverse(ReopenOpportunityDocument, variables, said)
  return (
    <Stack gap={6} component="article" aria-label={title} className="opportunity">
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
        <Title order={3} size="h5" className="wrap">
          {title}
        </Title>
        {effect && (
          <Tooltip label={texts.levelHint}>
            <Badge color={levelColors[effect.level]} className="nowrap" miw={72}>
              {texts.levels[effect.level]}
            </Badge>
          </Tooltip>
        )}
      </Group>
      <Text size="sm">
        <b>{effect ? texts.effect(effect.text) : texts.effectPending}</b>
        {' · '}
        <Tooltip label={texts.effortHint[effort]}>
          <span>{texts.effort[effort]}</span>
        </Tooltip>
      </Text>
      <Text size="sm" c="dimmed">
        {effect?.reason ?? opportunity.description}
      </Text>
      {status !== 'active' && <Ending opportunity={opportunity} />}
      <Evidence project={project} opportunity={opportunity} />
      <Group gap="xs" mih={30}>
        {status === 'active' ? (
          <>
            <Actions project={project} opportunity={opportunity} />
            <Act
              label={texts.complete}
              of={title}
              document={CompleteOpportunityDocument}
              variables={variables}
              offer={offer(texts.completedNow(title))}
            />
            <ReasonAct
              label={texts.dismiss}
              of={title}
              document={DismissOpportunityDocument}
              variables={variables}
              offer={offer(texts.dismissedNow(title))}
            />
            {/* Last, since the members come later than the opportunities: nothing moves for them. */}
            <Assignee project={project} opportunity={opportunity} members={members} />
          </>
        ) : (
          <Act
            label={texts.reopen}
            of={title}
            document={ReopenOpportunityDocument}
            variables={variables}
          />
        )}
      </Group>
    </Stack>
  )
}

type Kind = keyof typeof texts.kinds

const kindOf: Record<OpportunityAction, Kind> = {
  create_page: 'write',
  improve_page: 'improve',
  get_listed: 'outreach',
  track_prompt: 'track',
  fix_page: 'fix',
  fix_pages: 'fix',
  fix_site: 'fix',
  allow_crawler: 'fix',
  investigate: 'investigate',
}

interface ListProps {
  readonly project: string
  readonly all: readonly One[]
  readonly total: number
  readonly asked: {
    readonly document: typeof OpportunitiesDocument
    readonly variables: ReturnType<typeof variablesOf>
  }
}

/** Enough to choose from; more is a list that nobody reads. */
const mostShown = 20

/** Opportunities by kind. A kind stands where its first one stands. */
function Kinds({ project, all, total, asked }: ListProps) {
  const [showsAll, setShowsAll] = useState(false)
  const { data } = useQuestion(AssigneesDocument, { project })
  const members = data?.project?.workspace?.members?.nodes ?? []
  const shown = new Set(showsAll ? all : all.slice(0, mostShown))
  const groups = Map.groupBy(all, ({ actionType }) => kindOf[actionType])
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {texts.shown(shown.size, total)}
      </Text>
      {[...groups].map(([kind, ofKind]) => {
        const visible = ofKind.filter((each) => shown.has(each))
        const hidden = ofKind.length - visible.length
        return (
          <Panel
            key={kind}
            title={texts.kinds[kind]}
            sub={hidden > 0 && texts.more(hidden)}
            right={<Badge color="gray">{count(ofKind.length)}</Badge>}
            asked={asked}
          >
            {visible.map((each) => (
              <Card key={each.id} project={project} opportunity={each} members={members} />
            ))}
          </Panel>
        )
      })}
      {shown.size < all.length && (
        <Button variant="default" onClick={() => setShowsAll(true)}>
          {texts.showAll(all.length - shown.size)}
        </Button>
      )}
    </>
  )
}

type State = keyof typeof texts.states

const statuses: Record<State, OpportunityStatus[]> = {
  active: ['active'],
  done: ['completed', 'auto_resolved'],
  dismissed: ['dismissed'],
}

const isState = (state: string | undefined): state is State =>
  state !== undefined && state in texts.states

const endOf = ({ completedAt, autoResolvedAt, dismissedAt }: One) =>
  completedAt ?? autoResolvedAt ?? dismissedAt ?? ''

function variablesOf({ project, state }: Pick<Visit, 'project' | 'state'>) {
  const chosen = isState(state.state) ? state.state : 'active'
  return {
    project,
    opportunities: { statuses: statuses[chosen] },
    isDone: chosen === 'done',
  }
}

/** The state of the address that shows whether what was done worked. */
const worked = 'worked'

export const opportunitiesOpening: Opening = (visit) =>
  visit.state.state === worked ? undefined : prefetch(OpportunitiesDocument, variablesOf(visit))

interface StatesProps {
  readonly project: string
  readonly chosen: State
}

/** The opportunities of a state. */
function InState({ project, chosen }: StatesProps) {
  const variables = variablesOf({ project, state: { state: chosen } })
  const asked = { document: OpportunitiesDocument, variables }
  return (
    <Answered query={useQuestion(OpportunitiesDocument, variables)}>
      {({ project: found }) => {
        const all = found?.opportunities?.nodes ?? []
        const total = found?.opportunities?.totalCount ?? all.length
        if (all.length === 0) {
          return (
            <Text c="dimmed" ta="center" py="xl">
              {texts.none[chosen]}
            </Text>
          )
        }
        if (chosen === 'active') {
          return <Kinds key={chosen} project={project} all={all} total={total} asked={asked} />
        }
        const newest = all.toSorted((a, b) => (endOf(a) < endOf(b) ? 1 : -1))
        return (
          <Panel title={texts.states[chosen]} asked={asked}>
            {newest.map((each) => (
              <Card key={each.id} project={project} opportunity={each} members={[]} />
            ))}
          </Panel>
        )
      }}
    </Answered>
  )
}

/** What is worth doing, by kind, what reaches the most answers first; what came of it, and whether what was done worked. */
export function Opportunities({ project }: PageProps) {
  const { state, set } = useAddress()
  const chosen = isState(state.state) ? state.state : 'active'
  const shown = state.state === worked ? worked : chosen
  return (
    <>
      <SegmentedControl
        mb="md"
        aria-label={t.columns.state}
        value={shown}
        onChange={(value) => set({ state: value === 'active' ? undefined : value })}
        data={Object.entries({ ...texts.states, [worked]: texts.worked }).map(([value, label]) => ({
          value,
          label,
        }))}
      />
      {shown === worked ? (
        <Suspense fallback={<Skeleton h={280} />}>
          <Worked project={project.id} />
        </Suspense>
      ) : (
        <InState project={project.id} chosen={chosen} />
      )}
    </>
  )
}
