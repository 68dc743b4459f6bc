-- Sums by day, which the engine keeps beside the rows of each part and reads in their place where a statement asks for
-- no more. They hold for imports, deletions and a new analysis, because a part and its sums are written as one.
-- Statements with a filter on prompts read the rows.
ALTER TABLE answers MODIFY SETTING lightweight_mutation_projection_mode = 'rebuild';
ALTER TABLE mentions MODIFY SETTING lightweight_mutation_projection_mode = 'rebuild';
ALTER TABLE crawler_hits MODIFY SETTING lightweight_mutation_projection_mode = 'rebuild';

ALTER TABLE answers ADD PROJECTION IF NOT EXISTS by_day (
  SELECT project_id, day, platform, model, country, location_id, load_seq, count()
   GROUP BY project_id, day, platform, model, country, location_id, load_seq);
ALTER TABLE mentions ADD PROJECTION IF NOT EXISTS by_brand (
  SELECT project_id, day, analysis, brand_id, is_own, platform, model, country, location_id, load_seq,
         count(), sum(occurrences), sum(rank)
   GROUP BY project_id, day, analysis, brand_id, is_own, platform, model, country, location_id, load_seq);
ALTER TABLE crawler_hits ADD PROJECTION IF NOT EXISTS by_bot (
  SELECT project_id, day, verification, host, platform, bot_category, bot_id, bot_name, bot_vendor, status_code,
         count(), max(timestamp)
   GROUP BY project_id, day, verification, host, platform, bot_category, bot_id, bot_name, bot_vendor, status_code);

-- Parts from before this file get their sums in the background.
ALTER TABLE answers MATERIALIZE PROJECTION by_day;
ALTER TABLE mentions MATERIALIZE PROJECTION by_brand;
ALTER TABLE crawler_hits MATERIALIZE PROJECTION by_bot;
