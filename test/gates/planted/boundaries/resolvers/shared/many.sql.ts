export const manyFactsWhere = 'true'
