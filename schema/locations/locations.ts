import type { loadLocations } from '../../resolvers/locations.ts'
import { builder } from '../kit/builder.ts'

type LocationRow = Omit<Awaited<ReturnType<typeof loadLocations>>[number][number], 'createdAt'>

export const locationType = builder.objectRef<LocationRow>('Location').implement({
  description: 'A place that answers are collected at.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    countryCode: t.exposeString('countryCode', { description: 'ISO 3166-1 alpha-2.' }),
    city: t.exposeString('city', { nullable: true, description: 'City.' }),
    region: t.exposeString('region', { nullable: true, description: 'State or region.' }),
    latitude: t.exposeFloat('latitude', { nullable: true, description: 'Degrees north.' }),
    longitude: t.exposeFloat('longitude', { nullable: true, description: 'Degrees east.' }),
  }),
})
