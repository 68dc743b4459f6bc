import { yearWindow } from '../../core/window.ts'
import { type CitingAnswers, citingAnswers } from '../../resolvers/pages/citations.ts'
import { readOfOwner, scopeOf } from '../kit/authorize.ts'
import { together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { sliceParents } from '../kit/edge.ts'
import { windowOf, withInputNames } from '../kit/inputs.ts'
import { countedIn } from '../kit/lists/counted.ts'
import { ownedBy, partOf } from '../kit/lists/owner.ts'
import { reportFields } from '../kit/report-fields.ts'
import { pageType } from './pages.ts'

export const citingPlatform = builder
  .objectRef<CitingAnswers['platforms'][number]>('CitingPlatform')
  .implement({
    description: 'Answers of one AI platform that cite a page.',
    fields: (t) => ({
      answers: t.expose('answers', {
        type: 'Int',
        description: 'Answers of the platform that cite the page.',
      }),
    }),
  })

const citations = builder.objectRef<CitingAnswers>('CitationsOfPage').implement({
  description: 'Answers in the window that cite a page.',
  fields: (t) => ({
    answers: t.expose('answers', {
      type: 'Int',
      description: 'Answers that cite the page.',
    }),
    lastCitedOn: t.expose('lastCitedOn', {
      type: 'Date',
      nullable: true,
      description:
        'UTC day of the newest answer in the window that cites the page; null without one.',
    }),
    platforms: t.field({
      type: [citingPlatform],
      description: 'AI platforms whose answers cite the page, most answers first.',
      resolve: (it) => partOf(it, [...it.platforms]),
    }),
    ...reportFields.window(t),
  }),
})

const window = windowOf(yearWindow)

builder.objectField(pageType, 'citations', (t) =>
  t.field({
    type: citations,
    nullable: true,
    view: 'graph',
    description: 'Answers in the window that cite the page.',
    access: readOfOwner,
    args: window.args,
    resolve: ({ projectId, url }, args, context) =>
      withInputNames(async () => {
        const page = { scope: await scopeOf(context, projectId), url }
        const found = await together(
          context,
          'page.citations',
          page,
          window.flat(args),
          citingAnswers,
        )
        const slice = sliceParents.page.sliceOf({ projectId, url })
        return countedIn(ownedBy(projectId, found), { ...page.scope, slice }, {})
      }),
  }),
)
