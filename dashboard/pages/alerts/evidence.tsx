import { Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { shown } from '../../../web/share/numbers.ts'
import {
  AlarmEvidenceDocument,
  type AlarmEvidenceQuery,
  type OneAlarmFragment,
  type OneChangedPromptFragment,
  type OneChangedSourceFragment,
} from '../../documents.ts'
import { PageLink, PromptLink } from '../../parts/links.tsx'
import { Answered } from '../../parts/states.tsx'
import { useQuestion } from '../../state/ask.ts'
import { alerts as texts } from '../../texts/english/alerts.ts'
import { t } from '../../texts/texts.ts'

interface EvidenceProps {
  readonly project: string
  readonly alarm: OneAlarmFragment
}

type Found = NonNullable<NonNullable<AlarmEvidenceQuery['project']>['alarm']>
type Investigation = NonNullable<Found['investigation']>

const share = (mentions: number, answers: number) =>
  answers === 0 ? shown(null, 'percent') : shown((100 * mentions) / answers, 'percent')

/** Prompts that changed, with the share of their answers before and after. */
function Prompts({
  project,
  title,
  prompts,
}: {
  readonly project: string
  readonly title: string
  readonly prompts: readonly OneChangedPromptFragment[]
}) {
  if (prompts.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Stack gap={2} component="ul" className="plain">
        {prompts.map(({ prompt, mentionsBefore, answersBefore, mentionsAfter, answersAfter }) => (
          <li key={prompt?.id ?? `${mentionsBefore} ${mentionsAfter}`}>
            <Text size="sm" className="wrap">
              {prompt && <PromptLink project={project} prompt={prompt} />}{' '}
              {texts.shares(
                share(mentionsBefore, answersBefore),
                share(mentionsAfter, answersAfter),
              )}
            </Text>
          </li>
        ))}
      </Stack>
    </div>
  )
}

/** Sources that changed, with the share of the answers that cite them before and after. */
function Sources({
  project,
  title,
  sources,
}: {
  readonly project: string
  readonly title: string
  readonly sources: readonly OneChangedSourceFragment[]
}) {
  if (sources.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Stack gap={2} component="ul" className="plain">
        {sources.map(({ domain, citedInBefore, answersBefore, citedInAfter, answersAfter }) => (
          <li key={domain}>
            <Text size="sm" className="wrap">
              <PageLink project={project} to={['sources', domain]} size="sm">
                {domain}
              </PageLink>{' '}
              {texts.shares(share(citedInBefore, answersBefore), share(citedInAfter, answersAfter))}
            </Text>
          </li>
        ))}
      </Stack>
    </div>
  )
}

function Movers({ movers }: Pick<Investigation, 'movers'>) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      {movers.map(({ dimension, up, down }) => (
        <div key={dimension}>
          <Text size="sm" fw={600}>
            {texts.movers[dimension]}
          </Text>
          <ul className="plain">
            {[...down, ...up].map(({ key, label, contribution }) => (
              <li key={key}>
                <Group gap="xs" justify="space-between" wrap="nowrap" align="flex-start">
                  <Text size="sm" className="wrap">
                    {label}
                  </Text>
                  <Text size="sm" className="nowrap">
                    {texts.points(shown(contribution, 'points'))}
                  </Text>
                </Group>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </SimpleGrid>
  )
}

function Answers({
  project,
  answers,
}: {
  readonly project: string
  readonly answers: Investigation['evidence']
}) {
  const known = answers.flatMap(({ answer, ...rest }) =>
    answer ? [{ id: answer.id, ...rest }] : [],
  )
  if (known.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600}>
        {texts.answers}
      </Text>
      <Stack gap={4} component="ul" className="plain">
        {known.slice(0, 5).map(({ id, date, excerpt }) => (
          <li key={id}>
            <Text size="sm" className="wrap">
              <PageLink project={project} to={['answers', id]}>
                {t.dayOfYear(date)}
              </PageLink>{' '}
              {excerpt}
            </Text>
          </li>
        ))}
      </Stack>
    </div>
  )
}

/** What made the change, the prompts that changed, and the answers before and after it. */
export function Evidence({ project, alarm }: EvidenceProps) {
  const { id, windowBefore, windowAfter, monitor } = alarm
  const query = useQuestion(AlarmEvidenceDocument, { project, id })
  const of = {
    ...(monitor?.platform && { platforms: monitor.platform.slug }),
    ...(monitor?.topic && { topics: monitor.topic.id }),
  }
  return (
    <Answered query={query}>
      {({ project: found }) => {
        const about = found?.alarm
        if (!about) return <Text size="sm">{texts.noEvidence}</Text>
        const { promptsLost, promptsWon, sourcesNew, sourcesGone, investigation } = about
        const listed = [promptsLost, promptsWon, sourcesNew, sourcesGone].flat()
        return (
          <Stack gap="sm" mt={6}>
            {investigation && <Movers movers={investigation.movers} />}
            <Prompts
              project={project}
              title={texts.lost(promptsLost.length)}
              prompts={promptsLost}
            />
            <Prompts project={project} title={texts.won(promptsWon.length)} prompts={promptsWon} />
            <Sources
              project={project}
              title={texts.found(sourcesNew.length)}
              sources={sourcesNew}
            />
            <Sources
              project={project}
              title={texts.gone(sourcesGone.length)}
              sources={sourcesGone}
            />
            {listed.length > 0 && (
              <Text size="xs" c="dimmed">
                {texts.fdr}
              </Text>
            )}
            {investigation && <Answers project={project} answers={investigation.evidence} />}
            <Group gap="md">
              <PageLink
                project={project}
                to={['answers']}
                state={{ ...windowBefore, ...of }}
                size="sm"
              >
                {texts.answersBefore}
              </PageLink>
              <PageLink
                project={project}
                to={['answers']}
                state={{ ...windowAfter, ...of }}
                size="sm"
              >
                {texts.answersAfter}
              </PageLink>
            </Group>
          </Stack>
        )
      }}
    </Answered>
  )
}
