-- AlterEnum
ALTER TYPE "AnswerProvider" ADD VALUE 'dataforseo_scraper';
