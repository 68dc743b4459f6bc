import { Tabs, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { useLocation } from 'wouter'
import { NamesDocument } from '../../documents.ts'
import type { PageProps } from '../../parts/page.ts'
import { Answered, Loading } from '../../parts/states.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { useMay } from '../../state/may.ts'
import { t } from '../../texts/texts.ts'
import { Account } from './account.tsx'
import { BrandLogo } from './logo.tsx'
import { Competitors, Names } from './names.tsx'
import { Locations, Topics } from './scope.tsx'
import { WorkspaceSettings, type WorkspaceTab, workspaceTabs } from './workspace.tsx'

/** Few open it, so its code comes with the first visit. */
const Rating = lazy(async () => ({ default: (await import('./rating/rating.tsx')).Rating }))

const projectTabs = ['brand', 'competitors', 'topics'] as const
type ProjectTab = (typeof projectTabs)[number]
type Tab = ProjectTab | WorkspaceTab | 'sentiment' | 'account'

const isProjectTab = (tab: Tab): tab is ProjectTab =>
  (projectTabs as readonly string[]).includes(tab)

const isWorkspaceTab = (tab: Tab): tab is WorkspaceTab => tab in workspaceTabs

const showTab = (tab: HTMLButtonElement | null) => {
  const list = tab?.parentElement
  if (list) list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.clientWidth) / 2
}

/** The brand, what is tracked, and who may change it. Each tab has its own address. */
export function Settings({ project, detail }: PageProps) {
  const [, go] = useLocation()
  const { link } = useAddress()
  const may = useMay()
  // The tabs fit in no line of a usual screen.
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false })
  const tab = detail !== undefined && detail in t.settings.tabs ? (detail as Tab) : 'brand'
  return (
    <>
      {detail !== undefined && (
        <Title order={1} mb="md">
          {t.settings.title}
        </Title>
      )}
      <Tabs
        value={tab}
        onChange={(value) => go(link(pathOf(project.id, 'settings', value ?? 'brand')))}
        mb="md"
        keepMounted={false}
        orientation={isWide ? 'vertical' : 'horizontal'}
      >
        <Tabs.List className="tab-list">
          {(Object.keys(t.settings.tabs) as Tab[])
            .filter(
              (name) => name === tab || !isWorkspaceTab(name) || may(workspaceTabs[name].needs),
            )
            .map((name) => (
              <Tabs.Tab
                key={name}
                value={name}
                px="sm"
                // A phone shows three tabs of the row.
                ref={name === tab ? showTab : null}
              >
                {t.settings.tabs[name]}
              </Tabs.Tab>
            ))}
        </Tabs.List>
        <Tabs.Panel value={tab} {...(isWide ? { pl: 'lg', miw: 0 } : { pt: 'md' })}>
          {isProjectTab(tab) && <ProjectSettings project={project} tab={tab} />}
          {tab === 'sentiment' && (
            <Suspense fallback={<Loading />}>
              <Rating project={project.id} />
            </Suspense>
          )}
          {tab === 'account' && <Account />}
          {isWorkspaceTab(tab) && <WorkspaceSettings project={project.id} tab={tab} />}
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

function ProjectSettings({ project, tab }: PageProps & { readonly tab: ProjectTab }) {
  const variables = { project: project.id }
  const asked = { document: NamesDocument, variables }
  const query = useQuestion(NamesDocument, variables)
  return (
    <Answered query={query}>
      {({ project: found }) => {
        if (!found) return null
        const shared = { project: project.id, found, asked }
        if (tab === 'brand') {
          return (
            <>
              <BrandLogo project={project.id} />
              <Names {...shared} />
            </>
          )
        }
        if (tab === 'competitors') return <Competitors {...shared} />
        return (
          <>
            <Topics {...shared} />
            <Locations {...shared} />
          </>
        )
      }}
    </Answered>
  )
}
