-- AlterEnum
ALTER TYPE "AnswerProvider" ADD VALUE 'openrouter';
ALTER TYPE "AnswerProvider" ADD VALUE 'mistral';
