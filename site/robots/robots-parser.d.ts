/** The package's own types declare a default export that its CommonJS file lacks. */
declare module 'robots-parser' {
  interface Parsed {
    isAllowed(url: string, token: string): boolean | undefined
    /** From 1; -1 where no rule matches. */
    getMatchingLineNumber(url: string, token: string): number
    getCrawlDelay(token: string): number | undefined
  }
  function robotsParser(url: string, text: string): Parsed
  export = robotsParser
}
