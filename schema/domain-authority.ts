import {
  authorityWindow,
  domainAuthority,
  type Measurement,
} from '../resolvers/domain-authority.ts'
import type { ProjectScope } from '../resolvers/shared/scope.ts'
import { windowArgsOf } from './kit/args.ts'
import { builder } from './kit/builder.ts'
import { report } from './kit/report.ts'
import { reportFields } from './kit/report-fields.ts'

type Report = Awaited<ReturnType<typeof domainAuthority>> & { scope: ProjectScope }

const measurement = builder.objectRef<Measurement>('DomainAuthorityMeasurement').implement({
  description: "Authority of the brand's domain on one day.",
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'Day of the measurement.' }),
    score: t.exposeFloat('score', {
      description: 'Authority of the domain, 0 to 100, as the measuring tool reported the score.',
    }),
    backlinks: t.expose('backlinks', {
      type: 'SafeInt',
      description: 'Links to the domain from other sites.',
    }),
    referringDomains: t.expose('referringDomains', {
      type: 'SafeInt',
      description: 'Distinct domains that link to the domain.',
    }),
  }),
})

const days = windowArgsOf(authorityWindow).days

report('domainAuthority', {
  type: builder.objectRef<Report>('DomainAuthority').implement({
    description: "Authority of the brand's domain over time.",
    fields: (t) => ({
      project: reportFields.project(t),
      latest: t.expose('latest', {
        type: measurement,
        nullable: true,
        description:
          'Newest measurement, even when older than the window; null without measurements.',
      }),
      history: t.expose('history', {
        type: [measurement],
        description: 'Measurements in the window, oldest first.',
      }),
      dateRange: reportFields.dateRange(t),
    }),
  }),
  description: "Authority of the brand's domain, imported from another tool.",
  args: { days },
  resolve: async (scope, args) => ({ scope, ...(await domainAuthority(scope, args)) }),
})
