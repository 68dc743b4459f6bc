/** Statements over products in answers. `facts` is the WHERE clause of `factsWhere`; every value is bound. */

/** Answers, answers checked for products, answers with a product, and distinct products by project. */
export function shoppingCounts(facts: string): string {
  return `
SELECT toString(project_id) AS projectId, sum(answered) AS responses, sum(looked) AS measured,
       sum(showing) AS withProducts, sum(found) AS products
  FROM (
    SELECT project_id, count() AS answered, countIf(products_measured = 1) AS looked,
           0 AS showing, 0 AS found
      FROM answers WHERE ${facts} GROUP BY project_id
     UNION ALL
    SELECT project_id, 0, 0, uniqExact(answer_id), uniqExact(product_id)
      FROM product_mentions WHERE ${facts} GROUP BY project_id)
 GROUP BY project_id`
}

/** Products with their answers and rank. An answer has one row per product. */
function placedProducts(facts: string): string {
  return `
SELECT *, row_number() OVER (PARTITION BY project_id ORDER BY mentionCount DESC, name, id) AS rank
  FROM (
    SELECT project_id, id, tupleElement(argMax((spelling, maker), (times, spelling, maker)), 1) AS name,
           tupleElement(argMax((spelling, maker), (times, spelling, maker)), 2) AS brand,
           sum(times) AS mentionCount, sumMap(shown) AS platforms
      FROM (
        SELECT project_id, product_id AS id, p.name AS spelling, p.brand AS maker, count() AS times,
               sumMap(map(platform, 1)) AS shown
          FROM product_mentions AS p WHERE ${facts}
         GROUP BY project_id, product_id, p.name, p.brand)
     GROUP BY project_id, id)`
}

/** A page of products per project, most answers first. */
export function productPage(facts: string): string {
  return `
SELECT toString(project_id) AS projectId, id, name, brand, mentionCount, rank, platforms
  FROM (${placedProducts(facts)})
 WHERE rank > {offset:UInt64} AND rank <= {offset:UInt64} + {limit:UInt64}
 ORDER BY rank`
}

/** One product, ranked among all products. */
export function oneProduct(facts: string): string {
  return `
SELECT id, name, brand, mentionCount, rank, platforms
  FROM (${placedProducts(facts)})
 WHERE id = {product:String}`
}

/** The latest name of a product over all time: it exists even when the window does not show it. */
export function lastNamed(facts: string): string {
  return `
SELECT argMax(p.name, (day, p.name, p.brand)) AS name, argMax(p.brand, (day, p.name, p.brand)) AS brand
  FROM product_mentions AS p
 WHERE ${facts} AND product_id = {product:String}
HAVING count() > 0`
}

/** A page of the answers that show a product, newest first. */
export function productMentions(facts: string): string {
  return `
SELECT toString(day) AS date, platform, toString(prompt_id) AS promptId, rank, price AS priceText,
       count() OVER () AS total
  FROM product_mentions
 WHERE ${facts} AND product_id = {product:String}
 ORDER BY day DESC, platform, promptId, rank, toString(answer_id)
 LIMIT {limit:UInt64} OFFSET {offset:UInt64}`
}
