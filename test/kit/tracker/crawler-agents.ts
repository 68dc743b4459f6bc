/** A line each: the name of the bot, and an agent of it. */
const listed = `
GPTBot | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)
OAI-SearchBot | Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot
ChatGPT-User | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot
ChatGPT-User | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/2.0; +https://openai.com/bot)
ClaudeBot | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)
Claude-User | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)
PerplexityBot | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)
Googlebot | Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.7390.122 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)
Googlebot | Googlebot-Image/1.0
Googlebot | Googlebot-Video/1.0
bingbot | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36
ChatGPT Agent | ChatGPT Agent/1.0
Claude-SearchBot | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-SearchBot/1.0; +https://www.anthropic.com)
anthropic-ai | anthropic-ai
Claude-Web | Claude-Web/1.0 (web crawler; +https://www.anthropic.com/; bots@anthropic.com)
Claude-Code | Claude-User (claude-code/2.1.86; +https://support.anthropic.com/)
Perplexity-User | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)
Perplexity-User | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityUser/1.0; +https://perplexity.ai)
GoogleOther | GoogleOther
GoogleOther | Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.7390.122 Mobile Safari/537.36 (compatible; GoogleOther)
GoogleOther | GoogleOther-Image/1.0
GoogleOther | GoogleOther-Video/1.0
Google-CloudVertexBot | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Google-CloudVertexBot; +https://cloud.google.com/enterprise-search) Chrome/141.0.7390.122 Safari/537.36
Gemini-Deep-Research | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Gemini-Deep-Research; +https://gemini.google/overview/deep-research/) Chrome/135.0.0.0 Safari/537.36
Google-Agent | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Google-Agent; +https://developers.google.com/crawling/docs/crawlers-fetchers/google-agent) Chrome/141.0.7390.122 Safari/537.36
GoogleAgent-Mariner | Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; compatible; GoogleAgent-Mariner) Chrome/142.0.7444.162 Safari/537.36
GoogleAgent-URLContext | GoogleAgent-URLContext
Google-Firebase | Google-Firebase
Google-Gemini-CLI | Mozilla/5.0 (compatible; Google-Gemini-CLI/1.0; +https://github.com/google-gemini/gemini-cli)
Google-NotebookLM | Mozilla/5.0 (compatible; Google-NotebookLM; +https://notebooklm.google.com/)
AzureAI-SearchBot | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; AzureAI-SearchBot/1.0;
Applebot | Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_1) AppleWebKit/600.2.5 (KHTML, like Gecko) Version/8.0.2 Safari/600.2.5 (Applebot/0.1)
Applebot | Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_1) AppleWebKit/600.2.5 (KHTML, like Gecko) Version/8.0.2 Safari/600.2.5 (Applebot/0.1; +http://www.apple.com/go/applebot)
Amazonbot | Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_1) AppleWebKit/600.2.5 (KHTML, like Gecko) Version/8.0.2 Safari/600.2.5 (Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)
Amzn-SearchBot | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Amzn-SearchBot/0.1) Chrome/119.0.6045.214 Safari/537.36
Amzn-User | Mozilla/5.0 (compatible; Amzn-User; +https://developer.amazon.com/)
AmazonBuyForMe | Mozilla/5.0 (compatible; AmazonBuyForMe; +https://www.amazon.com/)
NovaAct | Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Agent-NovaAct/0.9
Amazon-Bedrock-AgentCore-Browser | Mozilla/5.0 (compatible; Amazon-Bedrock-AgentCore-Browser; +https://aws.amazon.com/bedrock/)
bedrockbot | bedrockbot_3f0c9d1e-8a51-4c37-9a35-51ab8ee6c0a1
bedrockbot | bedrockbot_a7c2e510-1d0c-4f6e-8f2b-0c5d6b7a8e91 catalogue
amazon-kendra | amazon-kendra
amazon-kendra | amazon-kendra-customer-id-0a1b2c
amazon-QBusiness | amazon-QBusiness
Meta-ExternalAgent | meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)
Meta-ExternalAgent | meta-externalagent/1.1
Meta-ExternalFetcher | meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)
Meta-ExternalFetcher | meta-externalfetcher/1.1
Meta-WebIndexer | meta-webindexer/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)
FacebookBot | Mozilla/5.0 (compatible; FacebookBot/1.0; +https://developers.facebook.com/docs/sharing/webmasters/facebookbot/)
Bytespider | Mozilla/5.0 (iPhone; CPU iPhone OS 11_0 like Mac OS X) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/40.0.3754.1902 Mobile Safari/537.36; Bytespider
Bytespider | Mozilla/5.0 (iPhone; CPU iPhone OS 11_0 like Mac OS X) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/41.0.4454.1745 Mobile Safari/537.36; Bytespider
TikTokSpider | Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; TikTokSpider; ttspider-feedback@tiktok.com)
CCBot | CCBot/2.0 (http://commoncrawl.org/faq/)
CCBot | CCBot/2.0 (https://commoncrawl.org/faq/)
MistralAI-User | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)
MistralAI-Index | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; MistralAI-Index/1.0; +https://docs.mistral.ai/robots)
MistralAI-Training | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; MistralAI-Training/1.0; +https://docs.mistral.ai/robots)
cohere-ai | cohere-ai
cohere-training-data-crawler | cohere-training-data-crawler (+crawler@cohere.ai)
DeepSeekBot | Mozilla/5.0 (compatible; DeepSeekBot/1.0; +https://www.deepseek.com/bot)
GrokBot | Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:133.5) Gecko/20100101 Firefox/133.5; compatible; GrokBot/1.0; +https://x.ai/grokbot
xAI-SearchBot | xAI-SearchBot/1.0
xAI-SearchBot | Mozilla/5.0 (compatible; xAI-Grok/1.0)
Grok-DeepSearch | Grok-DeepSearch/1.0
DuckAssistBot | DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)
DuckDuckBot | DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)
DuckDuckBot | Mozilla/5.0 (compatible; DuckDuckBot-Https/1.1; https://duckduckgo.com/duckduckbot)
YouBot | Mozilla/5.0 (compatible; YouBot/1.0; +https://about.you.com/youbot/)
YouBot | Mozilla/5.0 (compatible; YouBot (+http://www.you.com))
Bravebot | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Bravebot/1.0; +https://search.brave.com/help/brave-search-crawler) Chrome/130.0.0.0 Safari/537.36
Kagibot | Mozilla/5.0 (compatible; Kagibot/1.0; +https://kagi.com/bot)
kagi-fetcher | kagi-fetcher/1.0
YandexBot | Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)
YandexBot | Mozilla/5.0 (compatible; YandexBot/3.0; MirrorDetector; +http://yandex.com/bots)
YandexAdditional | Mozilla/5.0 (compatible; YandexAdditional/3.0; +http://yandex.com/bots)
YandexAdditional | Mozilla/5.0 (compatible; YandexAdditionalBot/3.0; +http://yandex.com/bots)
Baiduspider | Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)
Baiduspider | Mozilla/5.0 (iPhone; CPU iPhone OS 9_1 like Mac OS X) AppleWebKit/601.1.46 (KHTML, like Gecko) Version/9.0 Mobile/13B143 Safari/601.1 (compatible; Baiduspider-render/2.0; +http://www.baidu.com/search/spider.html)
YiyanBot | Mozilla/5.0 (compatible; YiyanBot/1.0; +https://yiyan.baidu.com)
Kimi-User | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; Kimi-User/1.0
Kimi-SearchBot | Kimi-SearchBot/1.0
KimiBot | Mozilla/5.0 (compatible; KimiBot/1.0; +https://www.kimi.ai/policies/kimi-bot)
TongyiBot | Mozilla/5.0 (compatible; TongyiBot/1.0; +https://tongyi.aliyun.com)
TongyiBot | Qwen-User/1.0
QwenBot | Mozilla/5.0 (compatible; QwenBot/1.0)
ChatGLM-Spider | Mozilla/5.0 (compatible; ChatGLM-Spider/1.0; +https://chatglm.cn/)
PetalBot | Mozilla/5.0 (compatible;PetalBot;+https://webmaster.petalsearch.com/site/petalbot)
PetalBot | Mozilla/5.0 (Linux; Android 7.0;) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; PetalBot;+https://webmaster.petalsearch.com/site/petalbot)
PanguBot | Mozilla/5.0 (Linux; Android 7.0;) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; PanguBot;pangubot@huawei.com)
Yeti | Mozilla/5.0 (compatible; Yeti/1.1; +http://naver.me/bot)
Sogou web spider | Sogou News Spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)
Sogou web spider | Sogou Pic Spider/3.0(+http://www.sogou.com/docs/help/webmasters.htm#07)
360Spider | Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.1 (KHTML, like Gecko) Chrome/21.0.1180.89 Safari/537.1; 360Spider
360Spider | Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.1 (KHTML, like Gecko) Chrome/21.0.1180.89 Safari/537.1; 360Spider(compatible; HaosouSpider; http://www.haosou.com/help/help_3_2.html)
Qwantbot | Mozilla/5.0 (compatible; Qwantbot/1.0_800166; +https://help.qwant.com/bot/)
Qwantbot | Mozilla/5.0 (compatible; Qwantbot-news/2.0; +https://help.qwant.com/bot/)
PhindBot | Mozilla/5.0 (compatible; PhindBot; +https://www.phind.com/)
Andibot | Mozilla/5.0 (compatible; Andibot/1.0)
iAskBot | Mozilla/5.0 AppleWebKit/605.1.15 (KHTML, like Gecko; compatible; iAskBot/1.0; +https://iask.ai/) Chrome/120.0.6099.119 Safari/605.1.15
iaskspider | iaskspider/2.0
LinerBot | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; LinerBot/1.0; +https://docs.getliner.com/docs/linerbot)
WRTNBot | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; WRTNBot; +https://wrtn.ai/wrtnbot)
ZanistaBot | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ZanistaBot/1.0; +https://zanista.ai/crawler-info) Chrome/141.0.7390.122 Safari/537.36
Manus-User | Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/132.0.0.0 Safari/537.36; Manus-User/1.0
Devin | Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36; Devin/1.0; +https://devin.ai
opencode | opencode
opencode | opencode-smartfetch/1.0
TwinAgent | Mozilla/5.0 (compatible; TwinAgent; +https://www.twinagent.com/)
Mozilla-Tabstack | Mozilla-Tabstack/1.0
ExaBot | Mozilla/5.0 (compatible; ExaBot/1.0; +https://exa.ai)
ExaSearchBot | Mozilla/5.0 (compatible; ExaSearchBot/1.0; +https://crawler.exa.ai/)
TavilyBot | Mozilla/5.0 (compatible; TavilyBot; +https://tavily.com/)
LinkupBot | LinkupBot/1.0 (LinkupBot for web indexing; https://linkup.so/bot; bot@linkup.so)
ShapBot | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ShapBot/0.1.0
Shap-User | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; Shap-User/0.1.0
HenkBot | Mozilla/5.0 (compatible; HenkBot/1.0; +https://valyu.ai/crawler)
QueritBot | Mozilla/5.0 (compatible; QueritBot/1.0)
QueritBot | Mozilla/5.0 (compatible; Querit-SearchBot/1.0)
TerraCotta | TerraCotta https://github.com/CeramicTeam/CeramicTerracotta
TerraCotta | Terra Cotta/1.0
AIWebIndex | AIWebIndex/1.0
Aranet-SearchBot | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Aranet-SearchBot/1.0; +https://aranet.ai/bot) Chrome/131.0.0.0 Safari/537.36
Channel3Bot | Mozilla/5.0 (compatible; Channel3Bot/1.0; +https://trychannel3.com/channel3bot)
AddSearchBot | Mozilla/5.0 (compatible; AddSearchBot/0.9; +http://www.addsearch.com/bot; info@addsearch.com)
Anomura | Anomura/1.2 (+https://www.direqt.ai)
Cloudflare-AutoRAG | Cloudflare-AutoRAG (https://developers.cloudflare.com/autorag; autorag@cloudflare.com)
atlassian-bot | Mozilla/5.0 (compatible; atlassian-bot; +https://www.atlassian.com/)
bigsur.ai | bigsur.ai
QualifiedBot | QualifiedBot/1.0
QualifiedBot | Mozilla/5.0 (compatible; QualifiedBot/1.0; +https://www.qualified.com/legal/qualified-crawler-user-agent)
KlaviyoAIBot | KlaviyoAIBot/1.0
Poggio-Citations | Poggio-Citations 1.0 (+https://docs.poggio.io/api/robots)
QuillBot | quillbot.com
QuillBot | QuillBot
GeistHaus-PageFetcher | GeistHaus-PageFetcher/1.0
UseAI | UseAI/1.0
Diffbot | Mozilla/5.0 (Windows; U; Windows NT 5.1; en-US; rv:1.9.1.2) Gecko/20090729 Firefox/3.5.2 (.NET CLR 3.5.30729; Diffbot/0.1; +http://www.diffbot.com)
FirecrawlAgent | Mozilla/5.0 (compatible; FirecrawlAgent; +https://firecrawl.dev/)
Crawl4AI | crawl4ai-adapter/1.0
Crawlspace | Crawlspace/1.0
ApifyBot | Mozilla/5.0 (compatible; ApifyBot/1.0)
ApifyBot | ApifyWebsiteContentCrawler/1.0 (+https://apify.com/apify/website-content-crawler)
Brightbot | Brightbot 1.0
CragCrawler | CragCrawler/1.0
omgili | omgili/0.5 +http://omgili.com
omgili | omgilibot/0.4 +http://omgili.com
Webzio-Extended | webzio (+https://webz.io/bot.html)
Webzio-Extended | Webzio-Extended
AI2Bot | Mozilla/5.0 (compatible) AI2Bot (+https://www.allenai.org/crawler)
AI2Bot | Mozilla/5.0 (compatible) Ai2Bot-Dolma (+https://www.allenai.org/crawler)
AI2Bot-DeepResearchEval | Mozilla/5.0 (compatible) AI2Bot-DeepResearchEval (+https://www.allenai.org/crawler)
LAIONDownloader | Mozilla/5.0 (compatible; laion-huggingface-processor; +https://laion.ai/)
img2dataset | Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:72.0) Gecko/20100101 Firefox/72.0 (compatible; img2dataset; +https://github.com/rom1504/img2dataset)
ImagesiftBot | Mozilla/5.0 (compatible; ImagesiftBot; +imagesift.com)
Timpibot | Timpibot/0.9 (+http://www.timpi.io)
Timpibot | Mozilla/5.0 (compatible; Timpibot/0.8; +http://www.timpi.io)
ICC-Crawler | ICC-Crawler/2.0 (Mozilla-compatible; ; http://ucri.nict.go.jp/en/icccrawler.html)
Cotoyogi | Mozilla/5.0 (compatible; Cotoyogi/4.0; +https://ds.rois.ac.jp/center8/crawler/)
SBIntuitionsBot | Mozilla/5.0 (compatible; SBIntuitionsBot/0.1; +https://www.sbintuitions.co.jp/bot/)
Kangaroo Bot | Mozilla/5.0 (compatible; Kangaroo Bot/1.0; +http://www.kangaroo.com)
FriendlyCrawler | Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/605.1.15 (KHTML, like Gecko; compatible; FriendlyCrawler/1.0) Chrome/120.0.6099.216 Safari/605.1.15
VelenPublicWebCrawler | VelenPublicWebCrawler (velen.io)
Poseidon Research Crawler | Poseidon Research Crawler
Reflectionbot | Mozilla/5.0 (compatible; Reflectionbot/1.0; +https://reflection.ai)
Thinkbot | Mozilla/5.0 (compatible; Thinkbot/0.5.8; +In_the_test_phase,_if_the_Thinkbot_brings_you_trouble,_please_block_its_IP_address._Thank_you.)
KunatoCrawler | Mozilla/5.0 (compatible; KunatoCrawler/1.0; +http://kunato.ai/bot.html)
NagetBot | NagetBot/1.0
MyCentralAIScraperBot | MyCentralAIScraperBot
newsai | Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 newsai/1.0 Safari/537.36
imageSpider | imageSpider
spider.com | Mozilla/5.0 (compatible; spider.com)
ExteContextCrawl | Mozilla/5.0 (compatible; ExteContextCrawl/1.0)
Flyriverbot | Mozilla/5.0 (compatible; Flyriverbot/1.1)
semantic-visions | semantic-visions crawler; HTTPClient 3.1
TSM-turingos | Mozilla/5.0 (compatible; TSM-turingos/1.0)
ImageMind | Mozilla/5.0 (compatible; ImageMind/1.0)
Novellum | Mozilla/5.0 (compatible; Novellum/1.0)
linkReader | linkReader/1.0`

/**
 * User agents of crawlers, as their operators document them or logs show them. Where neither was
 * to be found it is the bare name. A bot stands in it once or more.
 */
export const crawlerAgents: readonly { readonly bot: string; readonly userAgent: string }[] = listed
  .trim()
  .split('\n')
  .map((line) => {
    const at = line.indexOf(' | ')
    return { bot: line.slice(0, at), userAgent: line.slice(at + 3) }
  })
