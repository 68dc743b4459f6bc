import {
  authorityWindow,
  domainAuthority,
  type Measurement,
} from '../resolvers/domain-authority.ts'
import type { ProjectScope } from '../resolvers/shared/scope.ts'
import { windowArgsOf } from './kit/args.ts'
import { builder, report } from './kit/builder.ts'
import { reportFields } from './kit/report-fields.ts'

type Report = Awaited<ReturnType<typeof domainAuthority>> & { scope: ProjectScope }

const measurement = builder.objectRef<Measurement>('DomainAuthorityMeasurement').implement({
  description: 'How much a domain weighs on one day.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The day.' }),
    score: t.exposeFloat('score', {
      description: 'Its authority, 0 to 100, by whoever measured it.',
    }),
    backlinks: t.expose('backlinks', {
      type: 'SafeInt',
      description: 'Links to it from other sites.',
    }),
    referringDomains: t.expose('referringDomains', {
      type: 'SafeInt',
      description: 'Domains that these links stand on.',
    }),
  }),
})

const days = windowArgsOf(authorityWindow).days

report('domainAuthority', {
  type: builder.objectRef<Report>('DomainAuthority').implement({
    description: "How much the brand's domain weighs, over time.",
    fields: (t) => ({
      project: reportFields.project(t),
      latest: t.expose('latest', {
        type: measurement,
        nullable: true,
        description:
          'The newest measurement, also where it is older than the window; null where there is none.',
      }),
      history: t.expose('history', {
        type: [measurement],
        description: 'The measurements of the window, oldest first.',
      }),
      dateRange: reportFields.dateRange(t),
    }),
  }),
  description: "How much the brand's domain weighs, as it was measured and imported.",
  args: { days },
  resolve: async (scope, args) => ({ scope, ...(await domainAuthority(scope, args)) }),
})
