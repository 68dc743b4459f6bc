import { commercialSources } from './commercial-sources.ts'
import { editorialSources } from './editorial-sources.ts'

/** Well-known sites of one source type: registrable domains, separated by white space. */
export interface SourceGroup {
  readonly type: 'editorial' | 'social' | 'forum' | 'review' | 'institutional' | 'third_party'
  readonly group: string
  readonly domains: string
}

/**
 * Well-known domains by source type. A test checks that a domain occurs once in this list and the two others.
 * A private public suffix, such as `discourse.group`, covers every domain under the suffix.
 */
export const sourceRegistry: readonly SourceGroup[] = [
  {
    type: 'social',
    group: 'networks, video and people who publish by themselves',
    domains: `
      facebook.com fb.com fb.watch instagram.com threads.net threads.com twitter.com x.com
      t.co tiktok.com youtube.com youtu.be youtube-nocookie.com linkedin.com lnkd.in
      pinterest.com pinterest.co.uk pinterest.de pinterest.fr pinterest.ca pin.it snapchat.com
      tumblr.com vk.com ok.ru weibo.com weibo.cn bilibili.com douyin.com xiaohongshu.com
      kuaishou.com telegram.org t.me whatsapp.com discord.com discord.gg twitch.tv kick.com
      vimeo.com dailymotion.com rumble.com odysee.com nicovideo.jp bsky.app mastodon.social
      mastodon.online medium.com substack.com patreon.com flickr.com behance.net dribbble.com
      deviantart.com soundcloud.com mixcloud.com letterboxd.com strava.com xing.com meetup.com
      nextdoor.com note.com ameblo.jp hatenablog.com livejournal.com dev.to truthsocial.com
      9gag.com imgur.com lemon8-app.com line.me habr.com wattpad.com slideshare.net issuu.com
      linktr.ee naver.com wordpress.com
      blogspot.com tistory.com typepad.com`,
  },
  {
    type: 'forum',
    group: 'questions and answers, and forums of every subject',
    domains: `
      reddit.com redd.it quora.com stackexchange.com stackoverflow.com superuser.com
      serverfault.com askubuntu.com mathoverflow.net ycombinator.com lemmy.world
      justanswer.com answers.com fandom.com city-data.com resetera.com neogaf.com
      wallstreetoasis.com teamblind.com indiehackers.com bitcointalk.org warriorforum.com
      blackhatworld.com discourse.group steamcommunity.com thestudentroom.co.uk mumsnet.com
      netmums.com nairaland.com`,
  },
  {
    type: 'forum',
    group: 'forums of one subject',
    domains: `
      xdaforums.com overclock.net hardforum.com linustechtips.com spiceworks.com avsforum.com
      avforums.com head-fi.org audiosciencereview.com gearspace.com thegearpage.net tdpri.com
      acousticguitarforum.com boardgamegeek.com flyertalk.com cruisecritic.com bogleheads.org
      biggerpockets.com early-retirement.org teslamotorsclub.com electricvehicleforums.com
      insideevsforum.com bimmerpost.com bobistheoilguy.com garagejournal.com diychatroom.com
      contractortalk.com doityourself.com home-barista.com bikeforums.net mtbr.com letsrun.com
      slowtwitch.com backpackinglight.com newschoolers.com golfwrx.com bladeforums.com
      rokslide.com photo.net fredmiranda.com allnurses.com studentdoctor.net physicsforums.com`,
  },
  {
    type: 'forum',
    group: 'deal communities',
    domains: `
      slickdeals.net hotukdeals.com mydealz.de dealabs.com pepper.pl chollometro.com
      ozbargain.com.au redflagdeals.com`,
  },
  {
    type: 'forum',
    group: 'forums in other languages',
    domains: `
      gutefrage.net motor-talk.de wer-weiss-was.de forocoches.com elektroda.pl wykop.pl
      pikabu.ru zhihu.com v2ex.com 5ch.net okwave.jp dcinside.com fmkorea.com clien.net
      ruliweb.com ptt.cc dcard.tw mobile01.com pantip.com kaskus.co.id lowyat.net
      hardwarezone.com.sg voz.vn flashback.org whirlpool.net.au`,
  },
  {
    type: 'review',
    group: 'consumer organisations and testing laboratories',
    domains: `
      consumerreports.org which.co.uk test.de choice.com.au quechoisir.org 60millions-mag.com
      altroconsumo.it ocu.org proteste.pt test-achats.be consumentenbond.nl consumer.org.nz
      rtings.com dxomark.com outdoorgearlab.com techgearlab.com babygearlab.com runrepeat.com
      notebookcheck.net notebookcheck.com gsmarena.com dpreview.com jdpower.com naplab.com`,
  },
  {
    type: 'review',
    group: 'reviews by customers and employees',
    domains: `
      trustpilot.com sitejabber.com bbb.org resellerratings.com reviews.io feefo.com
      trustedshops.com trustedshops.de ekomi.de provenexpert.com kununu.com glassdoor.com
      glassdoor.co.uk glassdoor.de comparably.com productreview.com.au consumeraffairs.com
      complaintsboard.com reclameaqui.com.br pissedconsumer.com avis-verifies.com opineo.pl
      ceneo.pl yelp.com yelp.co.uk yelp.de yelp.fr yelp.ca tripadvisor.com tripadvisor.co.uk
      tripadvisor.de tripadvisor.fr tripadvisor.es tripadvisor.it tripadvisor.ca
      tripadvisor.in tripadvisor.jp tripadvisor.com.au holidaycheck.de zomato.com angi.com
      angieslist.com homeadvisor.com checkatrade.com healthgrades.com vitals.com ratemds.com
      jameda.de niche.com ratemyprofessors.com dianping.com`,
  },
  {
    type: 'review',
    group: 'software',
    domains: `
      g2.com capterra.com capterra.co.uk capterra.fr capterra.com.de getapp.com
      softwareadvice.com trustradius.com gartner.com forrester.com peerspot.com
      alternativeto.net producthunt.com saasworthy.com crozdesk.com softwaresuggest.com
      goodfirms.co clutch.co designrush.com financesonline.com appvizer.com omr.com
      theresanaiforthat.com futurepedia.io`,
  },
  {
    type: 'review',
    group: 'films, books, music and games',
    domains: `
      imdb.com rottentomatoes.com metacritic.com goodreads.com allmusic.com douban.com
      filmaffinity.com allocine.fr filmweb.pl opencritic.com librarything.com vivino.com
      ratebeer.com untappd.com`,
  },
  {
    type: 'review',
    group: 'product tests',
    domains: `
      reviewed.com reviews.org bestreviews.com consumersearch.com toptenreviews.com
      testberichte.de vergleich.org thewirecutter.com soundguys.com vacuumwars.com
      electricteeth.com coffeeness.de solereview.com believeintherun.com roadtrailrun.com
      doctorsofrunning.com runningshoesguru.com theruntesters.com garagegymreviews.com
      dcrainmaker.com bettertrail.com switchbacktravel.com packhacker.com feedthehabit.com
      sleepopolis.com sleepfoundation.org mattressclarity.com mattressnerd.com sleepdoctor.com
      eachnight.com massagegunadvice.com scarbir.com leafscore.com seniorliving.org
      theseniorlist.com caring.com safewise.com safehome.org security.org whistleout.com
      highspeedinternet.com homesmartcamera.com righttechadvice.com headphonesaddict.com
      dongknows.com mbreviews.com edmunds.com kbb.com`,
  },
  {
    type: 'institutional',
    group: 'reference works. An encyclopaedia is nobody’s outlet: no story can be pitched to it',
    domains: `
      wikipedia.org wikimedia.org wikidata.org wiktionary.org wikivoyage.org wikibooks.org
      britannica.com merriam-webster.com dictionary.com cambridge.org
      oxfordlearnersdictionaries.com collinsdictionary.com duden.de larousse.fr rae.es
      treccani.it archive.org openstreetmap.org ourworldindata.org`,
  },
  {
    type: 'institutional',
    group: 'international bodies, standards and associations',
    domains: `
      un.org unesco.org unicef.org undp.org worldbank.org imf.org oecd.org wto.org iea.org
      ifc.org weforum.org redcross.org ieee.org iso.org w3.org ietf.org acm.org iec.ch
      etsi.org din.de bsigroup.com ansi.org nfpa.org astm.org bluetooth.com wi-fi.org iihs.org
      euroncap.com ul.com aarp.org ncoa.org uschamber.com pewresearch.org gallup.com
      rand.org`,
  },
  {
    type: 'institutional',
    group: 'medicine',
    domains: `
      mayoclinic.org clevelandclinic.org hopkinsmedicine.org heart.org cancer.org cancer.net
      diabetes.org aad.org ada.org aap.org acog.org apa.org psychiatry.org arthritis.org
      alz.org msdmanuals.com cochrane.org familydoctor.org kidshealth.org
      gesundheitsinformation.de rki.de ameli.fr cochranelibrary.com mskcc.org mdanderson.org`,
  },
  {
    type: 'institutional',
    group: 'scholarly publishing and research',
    domains: `
      sciencedirect.com springer.com nature.com science.org wiley.com tandfonline.com
      sagepub.com arxiv.org biorxiv.org medrxiv.org ssrn.com jstor.org researchgate.net
      semanticscholar.org frontiersin.org mdpi.com plos.org thelancet.com nejm.org bmj.com
      jamanetwork.com cell.com pnas.org oup.com fraunhofer.de mpg.de cern.ch inria.fr csic.es`,
  },
  {
    type: 'institutional',
    group: 'public bodies outside the rules for .gov and its kin',
    domains: `
      canada.ca admin.ch bund.de bundesregierung.de verbraucherzentrale.de service-public.fr
      parliament.uk usps.com bundesbank.de bankofengland.co.uk citizensadvice.org.uk
      bibliocommons.com`,
  },
  ...editorialSources.map((group) => ({ type: 'editorial' as const, ...group })),
  ...commercialSources.map((group) => ({ type: 'third_party' as const, ...group })),
]
