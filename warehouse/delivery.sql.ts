/** Rows that an insert into `crawler_hits` has brought, by its token. */
export const storedRows = `
  SELECT count() AS rows
  FROM crawler_hits
  WHERE batch = cityHash64({token:String})`

export const removeRows = `
  DELETE FROM crawler_hits
  WHERE batch = cityHash64({token:String})`
