import { Accordion, Badge, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { count } from '../../../web/share/numbers.ts'
import {
  AddPromptsDocument,
  CompleteOpportunityDocument,
  DismissOpportunityDocument,
  type OneOpportunityFragment,
  OpportunitiesDocument,
  type OpportunityStatus,
  ReopenOpportunityDocument,
} from '../../documents.ts'
import { Act, Fault, ReasonAct } from '../../parts/act.tsx'
import { DomainLink, PromptLink } from '../../parts/links.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Outside } from '../../parts/outside.tsx'
import type { PageProps } from '../../parts/page.ts'
import { Panel } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { t } from '../../texts/texts.ts'
import { severityColors } from '../site-audit/severity.ts'

const { opportunities: texts } = t

type Evidenced = OneOpportunityFragment['evidence'][number]

/** What a row of the evidence counts; which of it there is depends on the kind of the row. */
function subjectOf(row: Evidenced) {
  return {
    prompt: 'prompt' in row ? row.prompt : null,
    url: 'url' in row ? row.url : null,
    query: 'query' in row ? row.query : null,
    domain: 'domain' in row ? row.domain : null,
  }
}

interface OneProps {
  readonly project: string
  readonly opportunity: OneOpportunityFragment
}

function Evidence({ project, opportunity }: OneProps) {
  return (
    <Stack gap={4} component="ul" className="plain">
      {opportunity.evidence
        .map((row) => ({ ...row, ...subjectOf(row) }))
        .map(({ label, count: times, url, query, domain, prompt }) => (
          <li key={[label, url, query, domain, prompt?.id].join()}>
            <Text size="sm" span>
              {label}: <b>{count(times)}</b> {query && `“${query}” `}
              {prompt && <PromptLink project={project} prompt={prompt} />}
              {url && <Outside url={url} />}
              {!url && domain && <DomainLink project={project} domain={domain} />}
            </Text>
          </li>
        ))}
    </Stack>
  )
}

/** Adds the search that no prompt tracks, and marks the opportunity as done. */
function Track({ project, query, id }: { project: string; query: string; id: string }) {
  const add = useChange(AddPromptsDocument)
  const complete = useChange(CompleteOpportunityDocument)
  const track = () =>
    add.mutate(
      { project, prompts: [{ text: query }] },
      {
        onSuccess: () => {
          notifyDone(texts.tracked)
          complete.mutate({ project, id })
        },
      },
    )
  return (
    <>
      <Button size="xs" loading={add.isPending} onClick={track}>
        {texts.track}
      </Button>
      <Fault error={add.error} />
    </>
  )
}

/** The button that does what the opportunity proposes, or that shows what to work on. */
function Action({ project, opportunity }: OneProps) {
  const { link } = useAddress()
  const { actionType, evidence, id } = opportunity
  const subjects = evidence.map(subjectOf)
  const query = subjects.find((each) => each.query)?.query
  const prompt = subjects.find((each) => each.prompt)?.prompt
  const domain = subjects.find((each) => each.domain)?.domain
  const url = subjects.find((each) => each.url)?.url
  if (actionType === 'track_prompt' && query)
    return <Track project={project} query={query} id={id} />
  const to = (label: string, path: string) => (
    <Button size="xs" variant="light" component={Link} href={path}>
      {label}
    </Button>
  )
  if (prompt) return to(texts.openPrompt, link(pathOf(project, 'prompts', prompt.id)))
  if (actionType === 'fix_site' || actionType === 'fix_page' || actionType === 'fix_pages') {
    return to(texts.openIssues, link(pathOf(project, 'site-audit')))
  }
  if (domain) return to(texts.openSource, link(pathOf(project, 'sources', domain)))
  if (query) return to(texts.openAnswers, link(pathOf(project, 'answers'), { search: query }))
  if (url && /^https?:/.test(url)) {
    return (
      <Button
        size="xs"
        variant="light"
        component="a"
        href={url}
        target="_blank"
        rel="noopener noreferrer"
      >
        {texts.openPage}
      </Button>
    )
  }
  return null
}

function One({ project, opportunity }: OneProps) {
  const { id, title, description, impact, status, score, dismissedReason } = opportunity
  const variables = { project, id }
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <Group gap="sm" wrap="nowrap" pr="md">
          <Badge color={severityColors[impact]} w={76}>
            {t.severities[impact]}
          </Badge>
          <Text fw={500} className="wrap">
            {title}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          <Text size="sm">{description}</Text>
          <Evidence project={project} opportunity={opportunity} />
          <Text size="xs" c="dimmed">
            {texts.score(score)}
            {dismissedReason && ` · ${texts.dismissedFor(dismissedReason)}`}
          </Text>
          <Group gap="xs">
            {status === 'active' ? (
              <>
                <Action project={project} opportunity={opportunity} />
                <Act
                  label={texts.complete}
                  of={title}
                  document={CompleteOpportunityDocument}
                  variables={variables}
                />
                <ReasonAct
                  label={texts.dismiss}
                  of={title}
                  document={DismissOpportunityDocument}
                  variables={variables}
                />
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
      </Accordion.Panel>
    </Accordion.Item>
  )
}

/** Enough to choose from; more is a list that nobody reads. */
const mostShown = 20

const isState = (state: string | undefined): state is OpportunityStatus =>
  state !== undefined && state in texts.states

/** What is worth doing, by kind, the largest expected effect first. */
export function Opportunities({ project }: PageProps) {
  const { state, set } = useAddress()
  const [showsAll, setShowsAll] = useState(false)
  const chosen = isState(state.state) ? state.state : 'active'
  const variables = { project: project.id, opportunities: { statuses: [chosen] } }
  const asked = { document: OpportunitiesDocument, variables }
  return (
    <>
      <SegmentedControl
        mb="md"
        className="scroll-x"
        aria-label={t.columns.state}
        value={chosen}
        onChange={(value) => set({ state: value === 'active' ? undefined : value })}
        data={Object.entries(texts.states).map(([value, label]) => ({ value, label }))}
      />
      <Answered query={useQuestion(OpportunitiesDocument, variables)}>
        {({ project: found }) => {
          const all = (found?.opportunities?.nodes ?? []).toSorted((a, b) => b.score - a.score)
          const total = found?.opportunities?.totalCount ?? all.length
          const shown = showsAll ? all : all.slice(0, mostShown)
          if (all.length === 0) {
            return (
              <Text c="dimmed" ta="center" py="xl">
                {texts.none[chosen]}
              </Text>
            )
          }
          const groups = Map.groupBy(shown, ({ category }) => category)
          return (
            <>
              <Text size="sm" c="dimmed" mb="sm">
                {texts.shown(shown.length, total)}
              </Text>
              {[...groups].map(([category, items]) => (
                <Panel
                  key={category}
                  title={`${texts.categories[category]} (${count(items.length)})`}
                  asked={asked}
                >
                  <Accordion className="flush" chevronPosition="left" order={3}>
                    {items.map((each) => (
                      <One key={each.id} project={project.id} opportunity={each} />
                    ))}
                  </Accordion>
                </Panel>
              ))}
              {!showsAll && all.length > mostShown && (
                <Button variant="default" onClick={() => setShowsAll(true)}>
                  {texts.showAll(all.length - mostShown)}
                </Button>
              )}
            </>
          )
        }}
      </Answered>
    </>
  )
}
