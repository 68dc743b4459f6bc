import { type ComponentType, lazy } from 'react'
import type { PageProps } from '../parts/page.ts'
import { t } from '../texts/texts.ts'

interface Page {
  /** The part of the path that names the page. */
  readonly name: string
  readonly nav: string
  readonly title: string
  readonly Page: ComponentType<PageProps>
}

/** A page whose code is loaded when it is opened. */
function page(
  name: string,
  { nav, title }: { readonly nav: string; readonly title: string },
  load: () => Promise<ComponentType<PageProps>>,
): Page {
  return { name, nav, title, Page: lazy(async () => ({ default: await load() })) }
}

/** The pages in their order; the first one is where a project opens. */
export const pages: readonly Page[] = [
  page('standing', t.standing, async () => (await import('./standing.tsx')).Standing),
  page('asked', t.asked, async () => (await import('./asked.tsx')).Asked),
  page('named', t.named, async () => (await import('./named/named.tsx')).Named),
  page('cited', t.cited, async () => (await import('./cited/cited.tsx')).Cited),
  page('read', t.read, async () => (await import('./read/read.tsx')).Read),
  page('work', t.work, async () => (await import('./work/work.tsx')).Work),
  page('reports', t.reports, async () => (await import('./reports/reports.tsx')).Reports),
  page(
    'collecting',
    t.collecting,
    async () => (await import('./collecting/collecting.tsx')).Collecting,
  ),
  page('imports', t.imports, async () => (await import('./imports/imports.tsx')).Imports),
  page('settings', t.settings, async () => (await import('./settings/settings.tsx')).Settings),
]
