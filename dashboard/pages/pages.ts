import {
  type Icon,
  IconBell,
  IconBulb,
  IconFileImport,
  IconLayoutDashboard,
  IconLink,
  IconMessageCircleQuestion,
  IconMessages,
  IconPlayerPlay,
  IconReport,
  IconRobot,
  IconRocket,
  IconSettings,
  IconStethoscope,
  IconUsers,
} from '@tabler/icons-react'
import { type ComponentType, lazy } from 'react'
import type { PageCode, PageProps } from '../parts/page.ts'
import { t } from '../texts/texts.ts'

export type FilterName = 'range' | 'platforms' | 'locations' | 'how'

export interface Page {
  /** The part of the path that names the page. */
  readonly name: string
  /** In the menu and above the page. */
  readonly title: string
  readonly Icon: Icon
  /** Pages of `setup` are not in the menu. */
  readonly group: 'read' | 'run' | 'setup'
  /** The filters that change something on the page. */
  readonly filters: readonly FilterName[]
  readonly Page: ComponentType<PageProps>
  /** Loads the code of the page. */
  load(): Promise<PageCode>
}

/** A page whose code is loaded when it is opened. */
function page(
  name: string,
  { title }: { readonly title: string },
  facts: Pick<Page, 'Icon' | 'group' | 'filters'>,
  load: () => Promise<PageCode>,
): Page {
  return { name, title, ...facts, load, Page: lazy(async () => ({ default: (await load()).Page })) }
}

const answered: readonly FilterName[] = ['range', 'platforms', 'locations', 'how']

/** The pages in their order; the first one is where a project opens. */
export const pages: readonly Page[] = [
  page(
    'overview',
    t.overview,
    { Icon: IconLayoutDashboard, group: 'read', filters: answered },
    async () => {
      const { Overview, overviewOpening } = await import('./overview/overview.tsx')
      return { Page: Overview, opening: overviewOpening }
    },
  ),
  page(
    'prompts',
    t.prompts,
    { Icon: IconMessageCircleQuestion, group: 'read', filters: answered },
    async () => {
      const { Prompts, promptsOpening } = await import('./prompts/prompts.tsx')
      return { Page: Prompts, opening: promptsOpening }
    },
  ),
  page('answers', t.answers, { Icon: IconMessages, group: 'read', filters: answered }, async () => {
    const { Answers, answersOpening } = await import('./answers/answers.tsx')
    return { Page: Answers, opening: answersOpening }
  }),
  page(
    'competitors',
    t.competitors,
    { Icon: IconUsers, group: 'read', filters: answered },
    async () => {
      const { Competitors, competitorsOpening } = await import('./competitors/competitors.tsx')
      return { Page: Competitors, opening: competitorsOpening }
    },
  ),
  page('sources', t.sources, { Icon: IconLink, group: 'read', filters: answered }, async () => {
    const { Sources, sourcesOpening } = await import('./sources/sources.tsx')
    return { Page: Sources, opening: sourcesOpening }
  }),
  page(
    'ai-traffic',
    t.aiTraffic,
    { Icon: IconRobot, group: 'read', filters: ['range'] },
    async () => {
      const { AiTraffic, aiTrafficOpening } = await import('./ai-traffic/ai-traffic.tsx')
      return { Page: AiTraffic, opening: aiTrafficOpening }
    },
  ),
  page(
    'site-audit',
    t.siteAudit,
    { Icon: IconStethoscope, group: 'read', filters: [] },
    async () => {
      const { SiteAudit, siteAuditOpening } = await import('./site-audit/site-audit.tsx')
      return { Page: SiteAudit, opening: siteAuditOpening }
    },
  ),
  page(
    'opportunities',
    t.opportunities,
    { Icon: IconBulb, group: 'read', filters: [] },
    async () => {
      const { Opportunities, opportunitiesOpening } = await import(
        './opportunities/opportunities.tsx'
      )
      return { Page: Opportunities, opening: opportunitiesOpening }
    },
  ),
  page('reports', t.reports, { Icon: IconReport, group: 'read', filters: ['range'] }, async () => ({
    Page: (await import('./reports/reports.tsx')).Reports,
  })),
  page(
    'data-collection',
    t.dataCollection,
    { Icon: IconPlayerPlay, group: 'run', filters: ['range'] },
    async () => ({ Page: (await import('./data-collection/data-collection.tsx')).DataCollection }),
  ),
  page('imports', t.imports, { Icon: IconFileImport, group: 'run', filters: [] }, async () => ({
    Page: (await import('./imports/imports.tsx')).Imports,
  })),
  page('alerts', t.alerts, { Icon: IconBell, group: 'run', filters: [] }, async () => {
    const { Alerts, alertsOpening } = await import('./alerts/alerts.tsx')
    return { Page: Alerts, opening: alertsOpening }
  }),
  page('settings', t.settings, { Icon: IconSettings, group: 'run', filters: [] }, async () => ({
    Page: (await import('./settings/settings.tsx')).Settings,
  })),
  page('setup', t.newProject, { Icon: IconRocket, group: 'setup', filters: [] }, async () => ({
    Page: (await import('./setup/setup.tsx')).Setup,
  })),
  page('changes', t.plannedChange, { Icon: IconRobot, group: 'setup', filters: [] }, async () => ({
    Page: (await import('./planned-change.tsx')).PlannedChange,
  })),
]
