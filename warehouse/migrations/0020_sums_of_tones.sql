-- Sums of mentions with their tones, in place of the sums without: one set of sums for all statements is written and read
-- sooner than two. 0.05 is the threshold of `core/text/sentiment.ts`. Another threshold needs other sums.
ALTER TABLE mentions ADD PROJECTION IF NOT EXISTS by_brand_tone (
  SELECT project_id, day, analysis, brand_id, is_own, platform, model, country, location_id, load_seq,
         count(), sum(occurrences), sum(rank),
         countIf(sentiment >= 0.05), countIf(sentiment > -0.05 AND sentiment < 0.05), countIf(sentiment <= -0.05),
         countIf(sentiment IS NULL), countIf(sentiment IS NOT NULL AND imported = 1),
         minIf(tone_version, sentiment IS NOT NULL AND imported = 0)
   GROUP BY project_id, day, analysis, brand_id, is_own, platform, model, country, location_id, load_seq);
-- Parts from before this file get their sums in the background. Until then statements read the rows.
ALTER TABLE mentions MATERIALIZE PROJECTION by_brand_tone;
ALTER TABLE mentions DROP PROJECTION IF EXISTS by_brand;
