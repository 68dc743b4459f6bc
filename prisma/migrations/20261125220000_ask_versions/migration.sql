-- Questions of a run are part of what reports say about their method and coverage.
SELECT "raiseFor"('Ask', '"raiseOfParent"(''records'', ''Run'', ''runId'')');
