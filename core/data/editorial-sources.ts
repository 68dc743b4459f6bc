/** Editorial sites: newspapers, broadcasters, magazines and portals. */
export const editorialSources = [
  {
    group: 'news and business, United States and Canada',
    domains: `
      nytimes.com wsj.com washingtonpost.com usatoday.com latimes.com nypost.com apnews.com
      reuters.com bloomberg.com cnn.com cnbc.com cbsnews.com nbcnews.com abcnews.com go.com
      foxnews.com foxbusiness.com msnbc.com npr.org pbs.org axios.com politico.com thehill.com
      theatlantic.com newyorker.com time.com newsweek.com usnews.com forbes.com fortune.com
      businessinsider.com insider.com inc.com entrepreneur.com fastcompany.com hbr.org qz.com
      vox.com slate.com salon.com huffpost.com thedailybeast.com vice.com buzzfeed.com
      buzzfeednews.com upi.com yahoo.com msn.com aol.com chicagotribune.com bostonglobe.com
      sfgate.com sfchronicle.com seattletimes.com dallasnews.com houstonchronicle.com
      miamiherald.com palmbeachpost.com denverpost.com oregonlive.com nj.com cleveland.com
      mlive.com nydailynews.com newsday.com ibtimes.com barrons.com marketwatch.com
      investors.com kiplinger.com money.com fool.com thestreet.com seekingalpha.com
      morningstar.com investopedia.com semafor.com propublica.org theconversation.com
      rollingstone.com variety.com hollywoodreporter.com deadline.com ew.com billboard.com
      cbc.ca ctvnews.ca globalnews.ca theglobeandmail.com thestar.com nationalpost.com
      financialpost.com macleans.ca prnewswire.com businesswire.com globenewswire.com`,
  },
  {
    group: 'news, United Kingdom, Ireland, Australia, New Zealand, Asia and Africa in English',
    domains: `
      bbc.com bbc.co.uk theguardian.com telegraph.co.uk thetimes.co.uk thetimes.com
      independent.co.uk ft.com economist.com dailymail.co.uk mirror.co.uk express.co.uk
      thesun.co.uk the-sun.com thesun.ie standard.co.uk metro.co.uk sky.com itv.com
      channel4.com inews.co.uk cityam.com talksport.com moneysavingexpert.com irishtimes.com
      independent.ie rte.ie thejournal.ie abc.net.au smh.com.au theage.com.au news.com.au
      theaustralian.com.au afr.com 9news.com.au nzherald.co.nz stuff.co.nz rnz.co.nz
      timesofindia.com indiatimes.com hindustantimes.com thehindu.com indianexpress.com
      ndtv.com indiatoday.in livemint.com moneycontrol.com news18.com business-standard.com
      scmp.com straitstimes.com channelnewsasia.com japantimes.co.jp koreaherald.com
      koreatimes.co.kr bangkokpost.com thestar.com.my dawn.com aljazeera.com
      thenationalnews.com arabnews.com gulfnews.com khaleejtimes.com news24.com
      dailymaverick.co.za nation.africa punchng.com timesofisrael.com haaretz.com jpost.com
      euronews.com france24.com dw.com politico.eu thelocal.com thelocal.de swissinfo.ch`,
  },
  {
    group: 'news in German',
    domains: `
      spiegel.de zeit.de faz.net sueddeutsche.de welt.de bild.de focus.de stern.de
      tagesschau.de zdf.de zdfheute.de ard.de ndr.de wdr.de br.de swr.de mdr.de rbb24.de
      deutschlandfunk.de n-tv.de rtl.de handelsblatt.com wiwo.de manager-magazin.de capital.de
      finanztip.de finanzen.net t-online.de tagesspiegel.de taz.de fr.de merkur.de rnd.de
      web.de gmx.net derstandard.at diepresse.com orf.at kurier.at krone.at nzz.ch
      tagesanzeiger.ch srf.ch blick.ch 20min.ch watson.ch utopia.de brigitte.de`,
  },
  {
    group: 'news in French, Spanish, Portuguese and Italian',
    domains: `
      lemonde.fr lefigaro.fr liberation.fr leparisien.fr lesechos.fr lexpress.fr lepoint.fr
      nouvelobs.com 20minutes.fr ouest-france.fr francetvinfo.fr franceinfo.fr radiofrance.fr
      bfmtv.com tf1info.fr rfi.fr huffingtonpost.fr capital.fr challenges.fr latribune.fr
      rtbf.be lesoir.be lalibre.be rts.ch letemps.ch radio-canada.ca lapresse.ca ledevoir.com
      doctissimo.fr marmiton.org elpais.com elmundo.es abc.es lavanguardia.com elperiodico.com
      elconfidencial.com eldiario.es 20minutos.es rtve.es expansion.com eleconomista.es
      marca.com as.com infobae.com clarin.com lanacion.com.ar eluniversal.com.mx milenio.com
      excelsior.com.mx eltiempo.com semana.com elcomercio.pe emol.com latercera.com
      univision.com globo.com uol.com.br folha.com.br estadao.com.br abril.com.br terra.com.br
      r7.com publico.pt expresso.pt observador.pt dn.pt corriere.it repubblica.it lastampa.it
      ilsole24ore.com ansa.it ilfattoquotidiano.it ilpost.it gazzetta.it rai.it fanpage.it
      mediaset.it`,
  },
  {
    group: 'news in other languages',
    domains: `
      nos.nl nu.nl volkskrant.nl telegraaf.nl nrc.nl ad.nl fd.nl hln.be standaard.be vrt.be
      nieuwsblad.be dn.se svd.se aftonbladet.se expressen.se svt.se vg.no nrk.no
      aftenposten.no dagbladet.no e24.no dr.dk politiken.dk tv2.dk berlingske.dk yle.fi hs.fi
      iltalehti.fi is.fi gazeta.pl wyborcza.pl onet.pl wp.pl interia.pl rp.pl idnes.cz
      novinky.cz seznamzpravy.cz sme.sk index.hu telex.hu hvg.hu 24ur.com rtvslo.si
      jutarnji.hr digi24.ro hotnews.ro kathimerini.gr hurriyet.com.tr sozcu.com.tr ria.ru
      rbc.ru lenta.ru kommersant.ru pravda.com.ua ynet.co.il nikkei.com asahi.com
      yomiuri.co.jp mainichi.jp nhk.or.jp yahoo.co.jp itmedia.co.jp impress.co.jp
      toyokeizai.net diamond.jp daum.net chosun.com joongang.co.kr donga.com hani.co.kr
      mk.co.kr sina.com.cn sohu.com 163.com qq.com ifeng.com people.com.cn xinhuanet.com
      thepaper.cn 36kr.com udn.com ltn.com.tw chinatimes.com vnexpress.net tuoitre.vn
      kompas.com detik.com tempo.co thairath.co.th`,
  },
  {
    group: 'technology in English',
    domains: `
      cnet.com theverge.com wired.com techradar.com tomsguide.com tomshardware.com pcmag.com
      pcworld.com zdnet.com engadget.com techcrunch.com arstechnica.com gizmodo.com
      mashable.com digitaltrends.com venturebeat.com technologyreview.com thenextweb.com
      theregister.com theinformation.com techrepublic.com computerworld.com infoworld.com
      networkworld.com cio.com csoonline.com darkreading.com bleepingcomputer.com
      krebsonsecurity.com 9to5mac.com 9to5google.com macrumors.com macworld.com
      appleinsider.com imore.com androidcentral.com androidauthority.com androidpolice.com
      phonearena.com xda-developers.com windowscentral.com laptopmag.com makeuseof.com
      howtogeek.com lifewire.com lifehacker.com techadvisor.com trustedreviews.com
      expertreviews.co.uk stuff.tv t3.com whathifi.com techhive.com techspot.com anandtech.com
      hothardware.com nextpit.com hackernoon.com infoq.com thenewstack.io itpro.com
      siliconangle.com geekwire.com slashgear.com bgr.com wepc.com uctoday.com martech.org
      searchengineland.com searchenginejournal.com seroundtable.com marketingweek.com
      adweek.com adage.com digiday.com thedrum.com practicalecommerce.com
      digitalcameraworld.com petapixel.com amateurphotographer.com soundandvision.com
      audioholics.com stereophile.com audiophileon.com gadgets360.com gamesradar.com ign.com
      gamespot.com polygon.com kotaku.com eurogamer.net pcgamer.com rockpapershotgun.com
      thegamer.com gameinformer.com destructoid.com`,
  },
  {
    group: 'technology in other languages',
    domains: `
      heise.de golem.de chip.de computerbild.de computerbase.de pcwelt.de netzwelt.de t3n.de
      giga.de winfuture.de hardwareluxx.de stadt-bremerhaven.de inside-digital.de connect.de
      01net.com lesnumeriques.com frandroid.com clubic.com numerama.com futura-sciences.com
      commentcamarche.net phonandroid.com journaldunet.com xataka.com genbeta.com
      muycomputer.com hipertextual.com computerhoy.com adslzone.net hwupgrade.it tomshw.it
      punto-informatico.it hdblog.it tecmundo.com.br canaltech.com.br tweakers.net
      androidworld.nl hardware.info sweclockers.com ixbt.com 3dnews.ru ithome.com
      pconline.com.cn zol.com.cn gizchina.com racunalniske-novice.com benchmark.pl
      spidersweb.pl`,
  },
  {
    group: 'home, food, fashion, beauty and family',
    domains: `
      goodhousekeeping.com thespruce.com thespruceeats.com bhg.com realsimple.com
      foodandwine.com bonappetit.com epicurious.com seriouseats.com foodnetwork.com
      allrecipes.com simplyrecipes.com delish.com eatingwell.com saveur.com food52.com
      thekitchn.com apartmenttherapy.com tasteofhome.com americastestkitchen.com
      bbcgoodfood.com chefkoch.de southernliving.com marthastewart.com countryliving.com
      housebeautiful.com elledecor.com architecturaldigest.com hgtv.com thisoldhouse.com
      bobvila.com familyhandyman.com housedigest.com homesandgardens.com idealhome.co.uk
      livingetc.com vogue.com vogue.co.uk vogue.de vogue.fr elle.com elle.fr elle.de
      harpersbazaar.com cosmopolitan.com glamour.com glamour.de instyle.com allure.com
      byrdie.com whowhatwear.com refinery29.com bustle.com self.com shape.com
      womenshealthmag.com menshealth.com mensfitness.co.uk mensjournal.com esquire.com gq.com
      gq-magazine.co.uk gearpatrol.com hiconsumption.com insidehook.com hypebeast.com
      highsnobiety.com people.com usmagazine.com womansworld.com thecut.com vulture.com
      nymag.com vanityfair.com wwd.com businessoffashion.com parents.com babycenter.com
      whattoexpect.com thebump.com momjunction.com todaysparent.com vegoutmag.com
      thegoodtrade.com oprahdaily.com townandcountrymag.com coffeegeek.com fashionbeans.com
      rd.com`,
  },
  {
    group: 'health, science, sport, outdoors and travel',
    domains: `
      healthline.com webmd.com verywellhealth.com verywellfit.com verywellmind.com
      medicalnewstoday.com everydayhealth.com health.com prevention.com drugs.com medscape.com
      psychologytoday.com netdoktor.de apotheken-umschau.de passeportsante.net livescience.com
      space.com popsci.com scientificamerican.com newscientist.com nationalgeographic.com
      sciencenews.org sciencedaily.com smithsonianmag.com discovermagazine.com phys.org
      popularmechanics.com runnersworld.com outsideonline.com gearjunkie.com irunfar.com
      cyclingweekly.com bikeradar.com cyclingnews.com road.cc bicycling.com barbend.com
      espn.com theathletic.com si.com skysports.com bleacherreport.com cbssports.com kicker.de
      sport1.de lequipe.fr eurosport.com golfdigest.com skimag.com theinertia.com
      outdoorlife.com fieldandstream.com advnture.com 220triathlon.com triathlete.com
      backpacker.com travelandleisure.com cntraveler.com cntraveller.com lonelyplanet.com
      roughguides.com thepointsguy.com onemileatatime.com afar.com timeout.com fodors.com
      frommers.com nomadicmatt.com geo.de geo.fr`,
  },
  {
    group: 'cars, money, music and games',
    domains: `
      caranddriver.com motortrend.com autoblog.com jalopnik.com roadandtrack.com topgear.com
      autocar.co.uk autoexpress.co.uk carmagazine.co.uk whatcar.com carwow.co.uk electrek.co
      insideevs.com electrifying.com drivingelectric.com evmagazine.com carbuzz.com
      topspeed.com auto-motor-und-sport.de autobild.de adac.de auto-zeitung.de largus.fr
      caradisiac.com motorpasion.com quattroruote.it motor1.com hotcars.com greencars.com
      cbtnews.com nerdwallet.com bankrate.com wallethub.com ramseysolutions.com
      thebalancemoney.com thepennyhoarder.com moneytalksnews.com financebuzz.com
      moneycrashers.com nasdaq.com coindesk.com cointelegraph.com guitarworld.com
      musicradar.com loudersound.com guitar.com guitarplayer.com acousticguitar.com
      ultimate-guitar.com pitchfork.com nme.com dicebreaker.com coopboardgames.com
      premierguitar.com killerguitarrigs.net guitarinteractivemagazine.com musictech.com`,
  },
]
