/** Counts `$2` dollars of a proposal on the UTC day `$3` under the caps of the project `$1`, where it has caps. */
export const countUnderCaps = `
UPDATE "CollectingBudget"
   SET "daySpent" = CASE WHEN day >= $3::date THEN "daySpent" ELSE 0 END + $2::float8,
       "monthSpent" = CASE WHEN month >= date_trunc('month', $3::date) THEN "monthSpent" ELSE 0 END + $2::float8,
       day = greatest(day, $3::date), month = greatest(month, date_trunc('month', $3::date)::date)
 WHERE id = $1::uuid`
