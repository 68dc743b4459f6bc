import { expect, test } from 'vitest'
import { readPromql } from './promql.ts'
import { alertRules, faultsOf, shownExpressions } from './published.ts'

test('the dashboard and the alerts are PromQL', () => {
  const shown = shownExpressions()
  expect(shown.length).toBeGreaterThan(40)
  for (const { expr } of shown) expect(readPromql(expr).reads.length).toBeGreaterThan(0)
  expect(() => readPromql('sum(rate(x[5m])')).toThrow('no PromQL')
})

test('each alert has a unique name, a severity, and what to do', () => {
  const rules = alertRules()
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const { alert, labels, annotations } of rules) {
    expect(alert).toMatch(/^Sightline[A-Z]/)
    expect(['warning', 'critical']).toContain(labels.severity)
    expect([annotations.summary, annotations.action]).toEqual(Array(2).fill(expect.any(String)))
  }
})

test('a metric or label that does not exist is found', () => {
  const labels = new Map([['a_total', new Set(['part', 'code'])]])
  const faults = (expr: string, text = '') => faultsOf({ title: 'T', expr, text }, labels)
  expect(
    faults('sum by (part) (rate(a_total{code=~"5.."}[$__rate_interval]))', '{{part}}'),
  ).toEqual([])
  expect(faults('b_total')).toEqual(['T: no metric b_total'])
  expect(faults('a_total{door="rest"}')).toEqual(['T: a_total has no label door'])
  expect(faults('sum by (door) (a_total)')).toEqual(['T: no label door'])
  expect(faults('a_total', '{{door}}')).toEqual(['T: no label door'])
})
