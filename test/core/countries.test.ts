import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countriesIn, countryCode, parseLocation } from '../../core/countries.ts'

test.each([
  [
    ['DE', 'Korea', 'Republic of'],
    ['DE', 'Korea, Republic of'],
  ],
  [['Bonaire', 'Sint Eustatius and Saba'], ['Bonaire, Sint Eustatius and Saba']],
  [
    ['Tanzania', 'United Republic of', 'UK'],
    ['Tanzania, United Republic of', 'UK'],
  ],
  [
    ['Korea', 'Japan'],
    ['Korea', 'Japan'],
  ],
  [
    ['Atlantis', 'Mu'],
    ['Atlantis', 'Mu'],
  ],
])('the countries in %j are %j', (parts, names) => {
  expect(countriesIn(parts)).toEqual(names)
})

describe('countryCode', () => {
  test.each([
    ['DE', 'DE'],
    ['de', 'DE'],
    ['DEU', 'DE'],
    ['276', 'DE'],
    ['004', 'AF'],
    ['Germany', 'DE'],
    [' gErMaNy ', 'DE'],
    ['USA', 'US'],
    ['U.S.A.', 'US'],
    ['United States', 'US'],
    ['the United States of America', 'US'],
    ['UK', 'GB'],
    ['U.K.', 'GB'],
    ['Great Britain', 'GB'],
    ['England', 'GB'],
    ['South Korea', 'KR'],
    ['Korea, Republic of', 'KR'],
    ['North Korea', 'KP'],
    ['Russia', 'RU'],
    ['Czechia', 'CZ'],
    ['Czech Republic', 'CZ'],
    ['Holland', 'NL'],
    ['The Netherlands', 'NL'],
    ['Turkey', 'TR'],
    ['Türkiye', 'TR'],
    ["Côte d'Ivoire", 'CI'],
    ['Cote d’Ivoire', 'CI'],
    ['Ivory Coast', 'CI'],
    ['Viet Nam', 'VN'],
    ['Vietnam', 'VN'],
    ['Congo', 'CG'],
    ['DR Congo', 'CD'],
    ['St. Lucia', 'LC'],
    ['Trinidad & Tobago', 'TT'],
    ['Hong Kong', 'HK'],
    ['Taiwan', 'TW'],
    ['Kosovo', 'XK'],
    ['Georgia', 'GE'],
  ])('%j is %s', (text, code) => {
    expect(countryCode(text)).toBe(code)
  })

  test.each(['', ' ', 'XX', 'EU', 'Atlantis', '999', '27', 'Berlin', 'constructor', '日本', '.'])(
    '%j is none',
    (text) => {
      expect(countryCode(text)).toBeNull()
    },
  )

  test('a code is two capitals, and its own code', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z]{2,3}$/), (text) => {
        const code = countryCode(text)
        if (code === null) return
        expect(code).toMatch(/^[A-Z]{2}$/)
        expect(countryCode(code)).toBe(code)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('parseLocation', () => {
  const place = (
    countryCode: string,
    city: string | null,
    region: string | null,
    label: string,
  ) => ({
    label,
    countryCode,
    city,
    region,
    latitude: null,
    longitude: null,
  })

  test.each([
    ['Berlin, Germany', place('DE', 'Berlin', null, 'berlin, , de')],
    ['Austin, Texas, US', place('US', 'Austin', 'Texas', 'austin, texas, us')],
    ['DE', place('DE', null, null, ', , de')],
    ['Germany', place('DE', null, null, ', , de')],
    ['  New   York ,NY,  usa ', place('US', 'New York', 'NY', 'new york, ny, us')],
    ['Seoul, Korea, Republic of', place('KR', 'Seoul', null, 'seoul, , kr')],
    ['Virgin Islands, British', place('VG', null, null, ', , vg')],
    ['A, B, C, US', place('US', 'A', 'B, C', 'a, b c, us')],
  ])('reads the text %j', (text, location) => {
    expect(parseLocation(text)).toEqual(location)
  })

  test('the country of the line holds for a place without one', () => {
    expect(parseLocation('Berlin', 'Germany')).toEqual(place('DE', 'Berlin', null, 'berlin, , de'))
    expect(parseLocation('Austin, Texas', 'us')).toEqual(
      place('US', 'Austin', 'Texas', 'austin, texas, us'),
    )
    expect(parseLocation({ city: 'Berlin' }, 'DE')).toEqual(
      place('DE', 'Berlin', null, 'berlin, , de'),
    )
  })

  test('the country of the line tells a region from a country', () => {
    expect(parseLocation('Wilmington, DE')).toEqual(
      place('DE', 'Wilmington', null, 'wilmington, , de'),
    )
    expect(parseLocation('Wilmington, DE', 'US')).toEqual(
      place('US', 'Wilmington', 'DE', 'wilmington, de, us'),
    )
    expect(parseLocation('Atlanta, Georgia', 'US')).toEqual(
      place('US', 'Atlanta', 'Georgia', 'atlanta, georgia, us'),
    )
    expect(parseLocation('Berlin, DE', 'DE')).toEqual(place('DE', 'Berlin', null, 'berlin, , de'))
    expect(parseLocation('Berlin, Germany', 'US')).toEqual(
      place('DE', 'Berlin', null, 'berlin, , de'),
    )
  })

  test('reads an object, and its coordinates when both are there and possible', () => {
    const berlin = {
      countryCode: 'de',
      city: ' Berlin ',
      region: '',
      latitude: 52.52,
      longitude: 13.4,
    }
    const label = 'berlin, , de'
    expect(parseLocation(berlin)).toEqual({
      ...place('DE', 'Berlin', null, label),
      latitude: 52.52,
      longitude: 13.4,
    })
    for (const wrong of [
      { latitude: 91 },
      { longitude: Number.NaN },
      { latitude: '52' },
      { longitude: null },
    ]) {
      expect(parseLocation({ ...berlin, ...wrong })).toEqual(place('DE', 'Berlin', null, label))
    }
    expect(parseLocation({ country: 'Germany', city: 'Berlin' })?.label).toBe(label)
  })

  test('the same place has the same label in every form', () => {
    const forms = [
      'Austin, Texas, US',
      'AUSTIN,texas,United States',
      { country: 'USA', city: 'austin', region: 'Texas' },
    ]
    expect(new Set(forms.map((form) => parseLocation(form)?.label))).toEqual(
      new Set(['austin, texas, us']),
    )
    expect(parseLocation({ country: 'US', city: 'Washington, D.C.' })?.label).toBe(
      'washington d.c., , us',
    )
  })

  test.each([
    [''],
    [' , '],
    ['Berlin'],
    [null],
    [undefined],
    [7],
    [true],
    [['DE']],
    [{}],
    [{ city: 'Berlin' }],
    [{ country: 'Atlantis' }],
  ])('null for %j', (value) => {
    expect(parseLocation(value)).toBeNull()
  })

  test('no location is none, whatever the country of the line', () => {
    expect(parseLocation(undefined, 'DE')).toBeNull()
    expect(parseLocation('', 'DE')).toBeNull()
  })
})
