import type { loadLocations } from '../../resolvers/locations.ts'
import { builder } from '../kit/builder.ts'

type LocationRow = Omit<Awaited<ReturnType<typeof loadLocations>>[number][number], 'createdAt'>

export const locationType = builder.objectRef<LocationRow>('Location').implement({
  description: 'A tracked location where answers are collected.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the location.' }),
    countryCode: t.exposeString('countryCode', {
      description: 'Country code, ISO 3166-1 alpha-2.',
    }),
    city: t.exposeString('city', {
      nullable: true,
      description: 'City; null when the location is wider than a city.',
    }),
    region: t.exposeString('region', {
      nullable: true,
      description: 'State or region; null when not given.',
    }),
    latitude: t.exposeFloat('latitude', {
      nullable: true,
      description: 'Latitude in degrees north; null when unknown.',
    }),
    longitude: t.exposeFloat('longitude', {
      nullable: true,
      description: 'Longitude in degrees east; null when unknown.',
    }),
  }),
})
