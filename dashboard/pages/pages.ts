import type { ComponentType } from 'react'
import type { PageProps } from '../parts/page.ts'
import { t } from '../texts/texts.ts'
import { Asked } from './asked.tsx'
import { Standing } from './standing.tsx'

interface Page {
  /** The part of the path that names the page. */
  readonly name: string
  readonly nav: string
  readonly title: string
  readonly Page: ComponentType<PageProps>
}

/** The pages in their order; the first one is where a project opens. */
export const pages: readonly Page[] = [
  { name: 'standing', nav: t.standing.nav, title: t.standing.title, Page: Standing },
  { name: 'asked', nav: t.asked.nav, title: t.asked.title, Page: Asked },
]
