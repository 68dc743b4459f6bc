/** Commercial sites: shops, marketplaces, makers, price comparison, software. */
export const commercialSources = [
  {
    group: 'marketplaces and department stores',
    domains: `
      amazon.com amazon.co.uk amazon.de amazon.fr amazon.es amazon.it amazon.nl amazon.se
      amazon.pl amazon.ca amazon.com.mx amazon.com.br amazon.co.jp amazon.in amazon.com.au
      amazon.ae amazon.sg amazon.com.tr ebay.com ebay.co.uk ebay.de ebay.fr ebay.it ebay.es
      ebay.ca ebay.com.au walmart.com walmart.ca target.com costco.com costco.ca samsclub.com
      kohls.com macys.com nordstrom.com bloomingdales.com jcpenney.com qvc.com hsn.com
      etsy.com alibaba.com aliexpress.com temu.com shein.com wish.com taobao.com tmall.com
      jd.com pinduoduo.com rakuten.co.jp rakuten.com mercadolibre.com mercadolibre.com.mx
      mercadolibre.com.ar mercadolivre.com.br americanas.com.br flipkart.com myntra.com
      croma.com lazada.com lazada.sg shopee.com shopee.sg shopee.tw tokopedia.com coupang.com
      gmarket.co.kr noon.com jumia.com takealot.com otto.de kaufland.de galaxus.de galaxus.ch
      digitec.ch bol.com coolblue.nl allegro.pl emag.ro cdiscount.com fnac.com darty.com
      boulanger.com leroymerlin.fr rueducommerce.fr elcorteingles.es pccomponentes.com
      trendyol.com hepsiburada.com ozon.ru wildberries.ru alza.cz johnlewis.com argos.co.uk
      tesco.com very.co.uk marksandspencer.com myshopify.com backmarket.com reebelo.com
      ubuy.tn`,
  },
  {
    group: 'shops',
    domains: `
      bestbuy.com bestbuy.ca newegg.com microcenter.com bhphotovideo.com adorama.com
      crutchfield.com abt.com pcrichard.com currys.co.uk mediamarkt.de mediamarkt.es saturn.de
      notebooksbilliger.de alternate.de cyberport.de conrad.de thomann.de sweetwater.com
      guitarcenter.com americanmusical.com musiciansfriend.com turntablelab.com elderly.com
      homedepot.com lowes.com acehardware.com wayfair.com overstock.com ikea.com
      crateandbarrel.com potterybarn.com williams-sonoma.com surlatable.com wholelattelove.com
      seattlecoffeegear.com cutleryandmore.com kitchenkapers.com rei.com
      dickssportinggoods.com backcountry.com steepandcheap.com moosejaw.com evo.com
      decathlon.com decathlon.fr decathlon.de academy.com runningwarehouse.com
      roadrunnersports.com zappos.com footlocker.com zalando.de zalando.com asos.com
      aboutyou.de nike.com adidas.com sephora.com ulta.com douglas.de boots.com walgreens.com
      cvs.com riteaid.com dm.de rossmann.de chewy.com petco.com petsmart.com zooplus.de
      gamestop.com barnesandnoble.com mattressfirm.com mattresswarehouse.com us-mattress.com
      luggagepros.com ebags.com everythingbutwater.com swimoutlet.com swimsuitsforall.com
      victoriassecret.com kroger.com instacart.com rewe.de carrefour.fr applianceguys.com
      homeoutletdirect.com iwantek.com retrosmarket.com curated.com geartrade.com
      autotrader.com autotrader.co.uk cars.com cargurus.com carmax.com carvana.com truecar.com
      mobile.de autoscout24.de`,
  },
  {
    group: 'price comparison, booking, jobs, property and personal finance',
    domains: `
      idealo.de idealo.co.uk idealo.fr geizhals.de geizhals.at billiger.de check24.de
      verivox.de pricerunner.com pricespy.co.uk prisjakt.nu kelkoo.com pricegrabber.com
      shopzilla.com kakaku.com klarna.com shopsavvy.com camelcamelcamel.com uswitch.com
      comparethemarket.com moneysupermarket.com gocompare.com confused.com finder.com
      lendingtree.com creditkarma.com comparecards.com moneylion.com policygenius.com
      thezebra.com creditcards.com booking.com expedia.com hotels.com airbnb.com kayak.com
      skyscanner.net trivago.com agoda.com opentable.com viator.com getyourguide.com
      indeed.com monster.com ziprecruiter.com stepstone.de zillow.com realtor.com redfin.com
      rightmove.co.uk immobilienscout24.de thumbtack.com houzz.com discogs.com reverb.com
      chase.com americanexpress.com capitalone.com discover.com citi.com bankofamerica.com
      wellsfargo.com paypal.com stripe.com fidelity.com schwab.com vanguard.com`,
  },
  {
    group: 'electronics, computers, telecommunication and streaming',
    domains: `
      apple.com samsung.com sony.com lg.com panasonic.com philips.com sharp.com tcl.com
      hisense.com xiaomi.com mi.com huawei.com oneplus.com oppo.com hp.com dell.com lenovo.com
      asus.com acer.com msi.com microsoft.com intel.com amd.com nvidia.com logitech.com
      razer.com corsair.com canon.com nikon.com epson.com brother-usa.com gopro.com garmin.com
      fitbit.com coros.com polar.com suunto.com bose.com jbl.com sennheiser.com soundcore.com
      anker.com jabra.com sonos.com beatsbydre.com audio-technica.com netgear.com tp-link.com
      tapo.com linksys.com eero.com synology.com ui.com arlo.com ring.com wyze.com lorex.com
      reolink.com eufy.com adt.com simplisafe.com vivint.com verizon.com att.com t-mobile.com
      mintmobile.com consumercellular.com xfinity.com spectrum.com optimum.com telekom.de
      vodafone.de o2online.de vodafone.co.uk bt.com orange.fr free.fr netflix.com hulu.com
      disneyplus.com max.com paramountplus.com peacocktv.com spotify.com directv.com
      arzopa.com hbomax.com`,
  },
  {
    group: 'makers of other goods',
    domains: `
      dyson.com sharkclean.com sharkninja.com ninjakitchen.com bissell.com hoover.com
      tineco.com dreametech.com roborock.com irobot.com eureka.com kitchenaid.com breville.com
      delonghi.com vitamix.com blendtec.com cuisinart.com instantpot.com cosori.com
      philips-hue.com oralb.com colgate.com cerave.com neutrogena.com aveeno.com
      theordinary.com greenpan.us all-clad.com lodgecastiron.com calphalon.com
      madeincookware.com t-fal.com casper.com saatva.com nectarsleep.com helixsleep.com
      purple.com tempurpedic.com awaytravel.com samsonite.com travelpro.com briggs-riley.com
      tumi.com patagonia.com thenorthface.com columbia.com arcteryx.com hellyhansen.com
      brooksrunning.com hoka.com asics.com newbalance.com saucony.com on.com andieswim.com
      summersalt.com therabody.com hyperice.com ekrin.com roguefitness.com onepeloton.com
      nordictrack.com spalding.com wilson.com badensports.com tesla.com bmwusa.com mbusa.com
      ford.com toyota.com honda.com hyundaiusa.com kia.com volkswagen.com audi.com
      lucidmotors.com rivian.com cadillac.com yamaha.com fender.com gibson.com
      taylorguitars.com lifeboostcoffee.com aprilaire.com midea.com geappliances.com
      whirlpool.com bosch-home.com miele.com on-running.com`,
  },
  {
    group: 'software, clouds and assistants',
    domains: `
      google.com openai.com chatgpt.com anthropic.com claude.ai perplexity.ai mistral.ai x.ai
      deepseek.com huggingface.co meta.com bing.com duckduckgo.com baidu.com yandex.ru
      github.com gitlab.com sourceforge.net atlassian.com salesforce.com hubspot.com
      zendesk.com oracle.com sap.com ibm.com cisco.com adobe.com canva.com figma.com notion.so
      notion.com slack.com zoom.us zoom.com asana.com monday.com clickup.com trello.com
      airtable.com zapier.com shopify.com bigcommerce.com wix.com squarespace.com webflow.com
      wordpress.org godaddy.com namecheap.com hostinger.com bluehost.com
      cloudflare.com digitalocean.com vercel.com netlify.com amazonaws.com mongodb.com
      datadoghq.com snowflake.com databricks.com semrush.com ahrefs.com moz.com similarweb.com
      mailchimp.com sendgrid.com twilio.com intercom.com freshworks.com zoho.com
      quickbooks.com intuit.com xero.com freshbooks.com gusto.com rippling.com deel.com
      docusign.com dropbox.com box.com nordvpn.com expressvpn.com norton.com mcafee.com
      bitdefender.com kaspersky.com malwarebytes.com 1password.com lastpass.com bitwarden.com
      grammarly.com duolingo.com coursera.org udemy.com edx.org skillshare.com upwork.com
      fiverr.com statista.com crunchbase.com`,
  },
]
