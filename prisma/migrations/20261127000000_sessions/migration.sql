-- Plans without API keys refuse them from now on. The keys of people who signed in go on: a start, or a sign-in, makes them anew.
ALTER TABLE "ApiKey" ADD COLUMN     "isSession" BOOLEAN NOT NULL DEFAULT false;
