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
import type { PageProps } from '../parts/page.ts'
import { t } from '../texts/texts.ts'

export type FilterName = 'range' | 'platforms' | 'locations'

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
  load(): Promise<ComponentType<PageProps>>
}

/** A page whose code is loaded when it is opened. */
function page(
  name: string,
  { title }: { readonly title: string },
  facts: Pick<Page, 'Icon' | 'group' | 'filters'>,
  load: () => Promise<ComponentType<PageProps>>,
): Page {
  return { name, title, ...facts, load, Page: lazy(async () => ({ default: await load() })) }
}

const answered: readonly FilterName[] = ['range', 'platforms', 'locations']

/** The pages in their order; the first one is where a project opens. */
export const pages: readonly Page[] = [
  page(
    'overview',
    t.overview,
    { Icon: IconLayoutDashboard, group: 'read', filters: answered },
    async () => (await import('./overview/overview.tsx')).Overview,
  ),
  page(
    'prompts',
    t.prompts,
    { Icon: IconMessageCircleQuestion, group: 'read', filters: answered },
    async () => (await import('./prompts/prompts.tsx')).Prompts,
  ),
  page(
    'answers',
    t.answers,
    { Icon: IconMessages, group: 'read', filters: answered },
    async () => (await import('./answers/answers.tsx')).Answers,
  ),
  page(
    'competitors',
    t.competitors,
    { Icon: IconUsers, group: 'read', filters: answered },
    async () => (await import('./competitors/competitors.tsx')).Competitors,
  ),
  page(
    'sources',
    t.sources,
    { Icon: IconLink, group: 'read', filters: answered },
    async () => (await import('./sources/sources.tsx')).Sources,
  ),
  page(
    'ai-traffic',
    t.aiTraffic,
    { Icon: IconRobot, group: 'read', filters: ['range'] },
    async () => (await import('./ai-traffic/ai-traffic.tsx')).AiTraffic,
  ),
  page(
    'site-audit',
    t.siteAudit,
    { Icon: IconStethoscope, group: 'read', filters: [] },
    async () => (await import('./site-audit/site-audit.tsx')).SiteAudit,
  ),
  page(
    'opportunities',
    t.opportunities,
    { Icon: IconBulb, group: 'read', filters: [] },
    async () => (await import('./opportunities/opportunities.tsx')).Opportunities,
  ),
  page(
    'reports',
    t.reports,
    { Icon: IconReport, group: 'read', filters: ['range'] },
    async () => (await import('./reports/reports.tsx')).Reports,
  ),
  page(
    'data-collection',
    t.dataCollection,
    { Icon: IconPlayerPlay, group: 'run', filters: ['range'] },
    async () => (await import('./data-collection/data-collection.tsx')).DataCollection,
  ),
  page(
    'imports',
    t.imports,
    { Icon: IconFileImport, group: 'run', filters: [] },
    async () => (await import('./imports/imports.tsx')).Imports,
  ),
  page(
    'alerts',
    t.alerts,
    { Icon: IconBell, group: 'run', filters: [] },
    async () => (await import('./alerts/alerts.tsx')).Alerts,
  ),
  page(
    'settings',
    t.settings,
    { Icon: IconSettings, group: 'run', filters: [] },
    async () => (await import('./settings/settings.tsx')).Settings,
  ),
  page(
    'setup',
    t.newProject,
    { Icon: IconRocket, group: 'setup', filters: [] },
    async () => (await import('./setup/setup.tsx')).Setup,
  ),
]
