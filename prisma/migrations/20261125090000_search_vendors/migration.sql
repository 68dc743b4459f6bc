-- AlterEnum
ALTER TYPE "AnswerProvider" ADD VALUE 'dataforseo';
ALTER TYPE "AnswerProvider" ADD VALUE 'serpapi';
