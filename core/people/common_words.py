"""Stems of common English words: a name that consists of them is no name where it stands in running text.

They are the words of WordNet that stood mostly in small letters in at least 20 of the texts that we counted (posts and comments
of forums, transcripts of games, scenes of screenplays), and what people often write besides: "idk", "PhD", months, countries.
"""

from functools import lru_cache

from core.text.stems import stem_word

_COMMON = """
ab abandon abbrevi abd abdomen aberr abid abil abl abnorm aboard abod abolish abomin abort about abov abroad abrupt absenc
absent absolut absolv absorb abstract absurd abt abus abysm academ academi academia acceler accent accept access accid accident
accommod accompani accomplish accord account accredit accumul accur accuraci accus accustom ace ach achiev acid acknowledg acn
acolyt acquaint acquiesc acquir acquisit acrobat acronym across act action activ activist actor actress actual ad adapt add
adderal addict addit address adequ adhd adher adjac adjoin adjunct adjust admin administ administr admir admiss admit admitt ado
adob adolesc adopt ador adorn adrenalin adult adulthood advanc advantag adventur advers advertis advic advis advise advisor
advoc advocaci aerial aerospac aesthet afar affair affect affection affili affin affirm affix afford afloat afraid africa
african aft after afterlif aftermath afternoon afterthought afterward again against age agenc agenda aggrav aggreg aggress
aghast agil agit ago agon agoni agre agreeabl agreement agricultur ahead ahh ahhh aid aim aimless ain air airborn aircraft
airlin airplan airport airship aisl aka akin ala alabama alarm albeit albino album alchemi alcohol alcov ale alert algebra
algorithm alien alight align alik aliv all alleg allegi allevi alley alleyway alli allianc alloc allot allow alma almighti
almost alon along alongsid alot aloud alphabet alreadi alright also alt altar alter alterc altern although altogeth alum
aluminum alumni alway ama amass amateur amaz amazon ambassador amber ambigu ambit ambiti ambl ambul ambush amen amend america
american amherst amiabl amid ammo ammunit among amongst amorph amount amp ampl amplifi amulet amus analog analys analysi analyst
analyt analyz anatomi ancestor anchor ancient and android anecdot anger angl angri angrili anguish ani anim ankl annihil
anniversari annot announc annoy annual anomali anonym anoth answer ant anthropolog anti anticip antidepress antiqu antler anus
anvil anxieti anxious anybodi anyhow anymor anyon anyth anytim anyway anywher ao ap apa apart apathi ape apex apiec apocalyps
apolog apologet app appal appar apparatus appeal appear appeas appetit appl applaud applaus appli applic applyingtocolleg
appoint apprais appreci apprehens apprentic apprenticeship approach appropri approv approxim april apron apt aptitud arbitrari
arc arch archaeolog archer architect architectur archiv archway arduous are area aren arena arent argu arguabl argument aris
arizona arm armchair armi armor armori around arous arrang array arrest arriv arrog arrow ars arsenal art articl articul
artifact artifici artist artwork arxiv asap ascend ascens ascertain ash asham ashen ashtray asia asian asid ask askacademia
asleep aspect asphalt aspir ass assail assassin assault assembl assert assess asset asshol assign assist assistantship associ
assort assum assumpt assur astonish astound astral astronaut astronom astronomi astrophys asu asynchron ate athlet atleast atm
atmospher atom atop attach attack attain attempt attend attende attent attest attic attir attitud attorney attract attribut
attun auction audac audibl audienc audio audit august aunt aura australia australian authent author authorit authorship autism
auto autograph autom automat automaton automobil autonomi autopsi autumn avail avatar avenu averag avert aviat avoid aw await
awak awaken awar award away awe awesom awhil awkward aww axe babbl babe babi babysit bachelor bachelorett back backfir
background backhand backlash backlog backpack backseat backsid backup backward backyard bacon bacteria bad badg badger baffl bag
bagel baggag baggi bail bait bake bakeri balanc balconi bald ball ballet ballista balloon ban banana band bandag bandit bang
banger banish bank banker banquet bar barb barbarian barbecu bard bare barefoot barf barg bargain bark barkeep barmaid barrack
barrag barrel barren barricad barrier bartend base basebal baselin basement bash basi basic basilisk basin basket basketbal bass
bastard bat batch bath bathrob bathroom bathtub batter batteri battl battlefield baubl bawl bay bazaar be beach beacon bead beak
beam bean bear beard bearer beast beat beaten beauti becam becaus beckon becom bed bedroom bedsid bedtim bee beef beelin been
beep beeper beer befor beforehand befriend beg began beggar begin beginn behalf behav behavior behaviour behemoth behind behold
belch belief believ belittl bell belli bellow belong below belt bench benchmark bend beneath benefici benefit bent berat beret
berkeley berri berth beseech besid best bestial bestow bet beta betray better between beverag bewar bewild beyond bias
bibliographi bicycl bid big bigger biggest bike bikini bile bill billboard billion billionair billow bin binari bind binder bing
bingo binocular bio biochem biochemistri bioinformat biolog biologist biom biomed biotech bipolar bird birth birthday biscuit
bisect bit bitch bite bitten bitter biz bizarr bko black blackboard blacken blacklist blackmail blackout blacksmith blade blah
blame bland blank blanket blare blast blatant blaze blazer bleach bleacher bleak bleed bleep blend blender bless blew blind
blindfold blink blip bliss blister blizzard bloat blob block blog blond blood bloodi bloodlin bloom blossom blot blous blow
blown bludgeon blue blueberri blueprint bluff bluish blunt blur blurri blurt blush boar board boast boat bodi bodyguard bog
boggl bogus boil boiler bold bolster bolt bomb bombard bond bone bonfir bong boni bonus boo boob boobi book bookcas booki
bookmark bookshelf bookstor boom boomer boon boop boost booster boot booth booti booz border borderlin bore boredom born borrow
bosom boss boston bot both bother bottl bottom bough bought boulder bounc bouncer bound boundari bounti bouquet bourbon bout bow
bowel bowl bowler box boxer boy boyfriend bra brace bracelet bracer bracket brag braid brain brainstorm brainwash brake brambl
branch brand brandi brandish brass brat brave braveri brawl brazier breach bread breadth break breakdown breaker breakfast
breakout breakthrough breakup breast breastplat breath breather breathless breed breez brethren breviti brew breweri bribe brick
bridal bride bridesmaid bridg brief briefcas briefli brigad bright brighten brilliant brim bring brink brisk british brittl bro
broad broadcast broaden broader brochur broke broken bronz brooch brood broom brothel brother brotherhood brought brow brown
browni brownston brows browser bruh bruis brunch brunt brush brutal brute bsc btw bubbl buck bucket buckl bud buddi budg budget
buff buffer buffet bug bugger build builder built bulb bulg bulk bulki bull bullet bulletin bullhorn bulli bullshit bum bummer
bump bumper bun bunch bundl bungalow bunk bunker bur burden bureaucraci bureaucrat burger burglar buri burial burn burner
burnout burnt burp burrow burst bus bush busi businessman bust bustl but butcher butler butt butter butterfli button buy buzz
buzzer bypass bystand cab cabin cabinet cabl cach cackl cactus cafe cafeteria caffein cage cake cal calc calcul calculus caldera
calendar calf calib calibr california call callback caller callous calm calori caltech cam cambridg came camel cameo camera
cameraman camouflag camp campaign camper campfir campsit campus can canada canadian canal cancel cancer candi candid candidaci
candl candlelight cane canin cannib cannon cannonbal cannot canon canopi cant canteen canva canyon cap capabl capac cape capit
capitalist capston caption captiv captur car caravan carbon carcass card cardboard care careen career careless caress caretak
cargo carnag carniv carpet carri carriag carrier carrot cart carton cartoon cartridg carv cascad case cash cashier casino cask
casket cassett cassock cast caster castl casual casualti cat catacomb catalog catalogu cataract catastroph cataton catch categor
categori cater cathedr cathol cattl catwalk caught cauldron caus caustic caution cautious cavalri cave caveat cavern caviti caw
ccs ceas ceil celebr celesti cell cellar cellphon cellular cement cemeteri cengag censer cent center centr central centuri ceo
ceram cereal ceremoni cert certain certainti certif certifi chagrin chain chair chalic chalk challeng chamber champ champagn
champion chanc chandeli chang changer channel chant chao chaotic chap chapel chapter char charact character characterist
charcoal charg charger charisma chariti charm chart charter chase chasm chat chatroom chatter chauffeur cheap cheaper cheapest
cheat cheater check checker checklist cheek cheeki cheer cheerlead chees chegg chem chemic chemist chemistri cherish cherri
chess chest chew chi chicago chick chicken child childcar childhood childish children chill chilli chime chimney chin china
chines chip chirp chisel chocol choic choir choke chomp choos chop chopper chord chore chorus chose chosen christ christian
christma chromat chrome chromium chronic chronicl chuck chuckl chug chum chunk church churn cigar cigarett cinnamon circl
circlet circuit circul circular circumst circus citadel citat cite citi citizen citizenship cityscap civil civilian clack clad
claim clamber clamp clan clang clank clap clarif clarifi clariti clash class classic classif classifi classmat classroom
classwork clatter claus clavicl claw clean cleaner cleans clear clearanc clearer cleav clench cleric clever clich click client
clientel cliff climat climb cling clinic clinician clink clip clipboard clipper cliqu cloak clock clog cloister clone close
closer closest closet closur clot cloth cloud cloudi clout clown club clue clueless clump clumsi cluster clutch clutter cmu
coach coal coalesc coalit coars coast coaster coat coauthor coax cobbl cobbleston cobweb cocain cock cocki cockpit cocktail
cocoa cocoon code coffe coffin cog cognit cogniz coher cohes cohort coil coin coincid coke cola cold collabor collag collaps
collar colleagu collect collector colleg collegi collid collis coloni color colorado coloss colour columbia column com coma comb
combat combin combo come comeback comedi comedian comfort comic comma command commenc commend comment commentari commerc
commerci commiser commiss commit committe commod common commonapp commot communal communic communion communist communiti commut
comp compact compani companion compar comparison compart compartment compass compassion compat compatriot compel compens compet
competit competitor compil complain complaint complement complet complex compli complianc complic compliment compon compos
composit compost composur compound comprehend comprehens compress compris compromis compuls comput comrad con conceal conced
conceiv concentr concept conceptu concern concert concis conclud conclus concours concret concuss condemn condens condescend
condit condol condom condon conduct conductor cone confer confess confid confidenti configur confin confirm conflict conform
confound confront confus congeal congrat congratul congreg conjur connect conquer conscienc conscious consensus consent consequ
conserv consid consider consist consol consolid conspicu conspiraci constant constitut constrain constraint construct consult
consum consumpt contact contain contamin contempl contemporari contempt contend content contest context contextu contin
continent conting continu contort contract contractor contradict contrapt contrari contrast contribut contributor control
controversi conundrum conven conveni convent converg convers convert convey convict convinc convo convolut convoy convuls coo
cook cooki cool cooler coolli coop cooper coordin cop cope copi copper copyright cord core cork corn cornel corner cornfield
corona coronavirus corp corpor corps correct correl correspond corridor corrupt cos cosmet cost costum cot cotton couch cough
could couldn council counsel counsellor counselor count countdown counter countless countri countrysid coup coupl courag courier
cours coursera coursework court courtesi courtroom courtyard cousin cover coverag covert covet covid cow coward cowboy cower
cowork coy cozi cpa crab crack cracker crackl cradl craft craftsmanship cram cramp crane crank crap crappi crapshoot crash
crater crave crawl craze crazi crazili creak cream creat creation creativ creator creatur credenti credibl credit creek creep
creepi crescent crest crevass crevic crew cri crib cricket crime crimin criminolog crimson cring crippl crisi crisp criteria
critic critiqu croak crocodil crook croon crop cross crossbow crossroad crotch crouch crow crowbar crowd crown crucial crucifi
crucifix crude cruel cruis cruiser crumb crumbl crumpl crunch crush crust crutch crypt crystal css csu cubbi cube cubicl cuddl
cue cuf cuff culmin cult cultist cultiv cultur cum cumul cun cunt cup cupboard cur curat curb cure curios curious curl currenc
current curricular curriculum curs curt curtain curv curvatur cushion cusp custodi custom cut cute cutoff cutter cutthroat cuz
cvs cyber cycl cyclon cylind cylindr cynic dab dabbl dad dagger dai daili dalla dam damag dame damn damp danc dancer dang danger
dangl dank dare dark darken darl darn dart dartmouth dash dashboard dat data databas dataset date daughter daunt day daycar
daydream daylight daytim daze dazzl dead deadey deadlin deaf deafen deal dealer dealt dean dear death debat debilit debri debt
dec decad decapit decay deceas deceit deceiv decemb decenc decent decept decid decim decis deck declar declin decompos
decompress decor decreas dedic deduc deduct deed deem deep deepen deeper deepli deer def default defeat defect defenc defend
defens defer deferr defi defianc defiant defici defin definit deflat deflect deft degrad degre deiti deject delay deleg delet
deli deliber delic delici delight deliv deliver deliveri delus delv demand demean demeanor dementia demo demograph demon
demonstr demor den deni denial denizen dens dental dentist depart department departur depend depict deplet deploy deport deposit
depress depriv dept depth derail deris deriv descend descent describ descript desert deserv design desir desk desktop desol
despair desper despis despit dessert destin destini destroy destruct detach detail detect detector detent deter deterior
determin deton detract detriment devalu devast develop development deviat devic devil devilish devis devot devour dexter diabet
diagnos diagnosi diagon diagram dial dialect dialogu diamet diamond diaper diari diarrhea dice dick dickhead dictat dictionari
did didn didnt die diet differ differenti difficult difficulti diffus dig digest digit digniti digress dilapid dilemma dilig dim
dime dimension diminish din dine diner ding dinghi dingi dinner dinosaur dip diploma diplomaci diplomat direct director
directori dirt dirti disabl disadvantag disagr disagre disappear disappoint disapprov disarm disarray disast disbelief disbeliev
disc discard discern discharg discipl disciplin disciplinari disclaim disclos disclosur discomfort disconcert disconnect discord
discount discourag discours discov discoveri discreet discrep discret discrimin discuss disdain diseas disengag disgrac
disgruntl disguis disgust dish dishearten dishevel dishonest dishonesti dishwash disillus disingenu disintegr disinterest disk
dislik dislodg dismantl dismay dismiss dismount disobedi disord disorgan dispar disparag dispatch dispel dispens dispers displac
display dispos disposit disproportion disput disqualifi disregard disrespect disrupt diss dissect dissemin dissert disservic
dissip dissuad distanc distant distast distil distinct distinguish distort distract distraught distress distribut district
disturb ditch ditti ditto dive divers diversifi divert divid divin divis divorc divulg divvi dizzi dms dna do doabl doc dock
doctor document documentari dodg doe doesn doesnt dog doggi doi doll dollar domain dome domest domin domino don donat done
donkey donor dont donut doodl doom door doorbel doorknob doorstep doorway dope dorm dormant dose dot doubl doubli doubt douch
dough doughnut dous dove down downer downgrad downhil download downright downsid downstair downtim downtown downvot downward
doze dozen draft drag dragon drain drama dramat drape drastic draw drawbridg drawer drawn dread dream dreami drench dress
dresser dri dribbl drift drill drink drip drive driven driver driveway drone drool droop drop dropbox droplet dropout drove
drown drug druid drum drummer drunk drunken dryad dryer dual dubious duck duct dude due duel duffel dug dull dumb dumbass dummi
dump dumpster dune dunk dunno duo duplic durat dure dust dusti duti dwarf dwell dwindl dye dynam dynamit dysfunct each eager
eagl ear earli earlier earliest earn earnest earphon earpiec earring earshot earth earthquak eas easi easier easiest easili east
eastern eat eaten eater ebook ec eccentr echo ecolog econ econom economi economist ecosystem ecstat ect ed edd edg edgi edit
editor editori edu educ eel eeri efc effect effici effort effortless egg ego egregi eight eighteen eighth eighti either eject
elabor elat elbow elder eldest elect electr electrician electrocut electron eleg element elementari eleph elev eleven elf elig
elimin elit elitist elong eloqu els elsevi elsewher elv email eman emb embank embark embarrass embassi embed ember emblem embodi
embrac emerald emerg emit emori emot empath empathi emphas emphasi emphat empir employ employe empow empti emul enabl enact
encamp encapsul encas enchant encircl enclos encompass encount encourag encroach encrust end endang endeavor endless endnot
endors endow endur enemi energ energi enforc eng engag engin england english engrav engulf enhanc enjoy enlarg enlighten enlist
enorm enough enrag enrich enrol enslav ensu ensur entail entangl enter enterpris entertain enthral enthusiasm enthusiast entic
entir entireti entiti entitl entourag entranc entranceway entrepreneur entri entryway envelop envi envious environ environment
envis epic epidemiolog episod equal equat equip equit equiti equival era eras erect eriny erod err errand errat error erupt
escal escap escort esp especi essay essenc essenti est establish estat esteem estim estrang eta etc etch etern ether ethic
ethnic etiquett europ european evacu evad eval evalu evapor evas even event eventu ever everi everybodi everyday everyon everyth
everytim everywher evid evil evolut evolutionari evolv exacerb exact exagger exalt exam examin exampl exasper excav exceed excel
except excess exchang excit exclud exclus excruci excurs excus execut exempt exercis exert exhal exhaust exhibit exhilar exil
exist existenti exit exorc exot expand expans expect expedit expel expend expens experi experienc experiment expert expertis
expir explain explan explicit explod exploit explor exploratori explos exponenti export expos exposur express expressionless
expung exquisit extend extens extent extenu exterior extermin extern extinct extinguish extra extract extracurricular
extraordinari extraordinarili extrapol extravag extrem extrovert eye eyebal eyebrow eyelid eyesight faang fabric fabul facad
face facebook facet facial facil facilit fact faction factor factori factual faculti fade fafsa faggot fail failur faint fair
fairi faith fake fall fallaci fallen fallout fals falsifi falter fam fame famili familiar famous fan fanci fanfar fang fantasi
fantast faq far fare farewel farm farmer farmhous farmland fart farther fascin fasfa fashion fast fasten faster fat fatal fate
father fathom fatigu fault favor favorit favour favourit fax fear feasibl feat feather featur februari fed feder fee feed
feedback feeder feel feet feign fell fella fellow fellowship feloni felt femal feminin feminist fenc fender feroci ferpa fertil
fester festiv fetch fever feverish few fewer fianc fiber fiction fiddl fidget field fieldwork fiend fierc fieri fifteen fifth
fifti fig fight fighter figur figurin file fill filler film filter filthi fin final finalist financ financi find fine finess
finest finger fingernail fingerprint fingertip finish finit fire firearm firelight fireman fireplac firewood firework firm first
firsthand fish fisherman fist fit five fix fixat fixtur fizzl flag flagship flail flair flake flame flamethrow flank flap flare
flash flashcard flashi flashlight flask flat flatten flatter flavor flaw flawless flee fleet flesh fleshi flex flexibl fli flick
flicker flight flinch fling flip flirt float flock flood floor floorboard flop florida floss flounder flourish flow flower flu
fluctuat fluent fluff fluffi fluid flunk fluoresc flurri flush fluster flute flutter flyer foam focus focuss foe fog foggi foil
fold folder foliag folk follow fond font food fool foolish foot footag footbal footfal footnot footprint footstep for forbid
forbidden forc fordham forearm forefront forego foreground forehead foreign foremost forens forese forest forev forfeit forg
forget forgiv forgot forgotten fork form formal format former formul formula forth forti fortifi fortress fortun forum forward
fossil foster fought foul found foundat founder fountain four fourteen fourth foyer fraction fragil fragment frail frame
framework franc frank frantic frat fratern fraud fraudul fray frazzl freak freckl free freed freedom freelanc freeli freeway
freez freezer french frenzi frequenc frequent fresh freshman freshmen fret fri frick friction friday fridg friend friendship
fright frighten fring frivol frog from front frown frozen frugal fruit fruition frustrat fuck fucker fudg fuel fulfil full fulli
fumbl fume fun function fund fundament fundrais funer fungal funk funnel funni fur furious furnac furnish furnitur furri furrow
further furthermor furtiv fuse fuss futil futur futurist fuzzi fwiw fyi gag gain gait gal galaxi galleri gallon gallop gambl
game gang gangster gap gape garag garbag garbl garden garish garment gas gash gaslight gasolin gasp gat gate gatekeep gateway
gather gaudi gaug gaunt gauntlet gave gay gaze gazebo gear ged gem gen gender gene general generalist generat generic generos
generous genet geni genius genom genr gentl gentleman genuin geograph geographi geolog geometri georgetown germ german germani
gestur get getaway ghast ghetto ghost giant gibberish giddi gift gig gigant giggl gill gin ginger gird girl girlfriend gis gist
git github give giveaway given glad glade glamor glanc glare glass glassi glaze gleam glean glee glide glimmer glimps glint
glisten glitter global globe gloom gloomi glori glorifi glorious gloss glove glow glower glu glue glyph gnarl gnaw gnome go goal
goat goate goblet goblin god goddam goddamn goddess godsend goe goer goggl gold golden goldfish golem golf goliath gone gonna
goo good goodby goodi goodluck goof goofi googl gook goon gore gorgeous gosh gossip got gotcha gothic gotta gotten gout gov
govern gown gpa gpas grab grace gracious grad grade grader gradschool gradual graduat graffiti grain graini grammar grammat
grand grandfath grandma grandmoth grandpa grandpar grant grape graph graphic grappl grasp grass grate gratitud grave gravel
graveyard gravit graviti gray graze gre greas greasi great greater greatest greed greedi greek green greener greenish greet
grenad grew grey grfp grid grief griev grievanc griffon grill grim grimac grin grind grip gripe grit gritti groan groceri groggi
groom groov grope gross grossli grotesqu ground groundbreak group grove grow growl grown growth grub grudg gruel grumbl grunt
guarante guard guardian guess guest guid guidanc guidelin guild guildhal guilt guilti guis guitar gulp gum gun gunfir gunpowd
gunshot gunsling gurgl gurney gush gust gut gutter guttur guy gym habit hack had hadn hag haggl hah haha hahah hahaha hail hair
haircut hairi hairless half halfway hall hallmark hallucin hallway halo halt ham hamburg hammer hammock hamper hamster hand
handbag handbook handcuff handgun handhold handi handicap handkerchief handl handout handshak handsom handwrit handwritten hang
hanger hangout hangov haphazard happen happi happier happili har harass harbor hard harden harder hardest hardi hardship hardwar
hardwork harm harmless harmon harmoni harpoon harrow harsh harvard harvest has hash hasn hassl hast hastili hat hatch hate hatr
haul haunt have haven havent hawk hay hazard haze hazi head headach headlight headlin headmast headphon headset headshot
headspac headway heal healer health healthcar healthi healthier heap hear heard heart heartbeat heartbreak hearti heat heav
heaven heavi heavili heck hectic hedg heed heel heft hefti height heighten heist held helicopt hell hella hello helmet help
helpless hem henc her herb herbal herd here heritag hero heroic heroin herself hesit hey hiatus hicago hiccup hidden hide
hideous hideout hierarchi high higher highest highlight highschool hijack hike hilari hill hillsid hilt him himself hinder
hindsight hing hint hip hire his hiss histor histori historian hit hitch hive hmm hmmm hoard hoars hobbi hobbl hockey hoe hog
hoist hold holder hole holi holiday holist holler hollow hologram holograph holster home homeboy homecom homeless homemad
homesick homestead hometown homework homicid homophob hone honest honesti honey honeymoon honk honor honour hood hoof hook
hookah hoop hoot hop hope hopeless hord horizon horizont hormon horn horribl horrid horrifi horror hors horseback hose hospit
host hostag hostess hostil hot hotel hound hour hourglass hous household housekeep hovel hover how howev howl hrs html http
https hub huddl hue huff hug huge huh hulk hull hum human humanoid humbl humid humil humili humor humour hump hunch hundr hung
hunger hungri hunk hunt hurdl hurl hurri hurrican hurt hurtl husband hush huski hustl hut hybrid hydra hydrat hydraul hygien
hype hyper hyperventil hypnot hypocrit hypothes hypothesi hypothet hypsm hyster ice iceberg ici icon idea ideal idealist ident
identif identifi ideolog idiot idk idl idol ignit ignor iii iirc ikr ill illeg illinoi illumin illus illusori illustr illustri
imag imageri imagin imaginari imbal imbu imgur imho imit immatur immedi immens immers immigr immin immobil immort immun
immunolog imo imp impact impair impal impass impati imped impend imper imperfect imperson implant implement impli implic
implicit implor import impos imposs impost impostor impress imprint imprison improp improv improvis impuls in inabl inaccur
inact inadequ inadvert inappropri inattent inaud inbox incant incap incapacit incens incent incess inch incid incident inciner
incit inclin includ inclus incoher incom incompet incomplet inconsider inconsist inconveni incorpor incorrect increas incred
incredul increment incurs inde indecis indefinit indent independ index india indian indiana indic indiffer indigen indign
indirect indistinct individu indoor induc indulg industri ineffect ineffici inept inequ inert inertia inevit inexpens
inexperienc inexplic infal infam infant infect infecti infer inferior inferno infest infiltr infin infinit inflat inflict
influenc influenti info inform infract infrastructur infuri infus ing ingenu ingot ingrain ingredi inhabit inhal inher inherit
inhuman initi inject injur injuri injustic ink inmat inn innard innat inner innoc innov input inquir inquiri insan inscrib
inscript insect insecur insensit insert insid insight insignia insignific insinu insist insomnia inspect inspir insta instagram
instal instanc instant instantan instead instil instinct institut instruct instructor instrument insuffici insul insult insur
int intact intak integr intellect intellectu intellig intend intens intensifi intent inter interact intercept interchang
intercom interdisciplinari interest interf interfac interfer interior interject intermedi intermitt intern internet internship
interperson interpret interrog interrupt intersect intertwin interv interven intervent interview interviewe intestin intim
intimaci intimid intl into intox intrepid intric intricaci intrigu intrins intro introduc introduct introductori introspect
introvert intrud intrus intuit invad invalid invalu invas invent inventori invers invert invest investig investor inveter invis
invit invok involv invulner inward io iowa ipad iphon irb ireland iri irl iron ironi irrat irregular irrelev irrespons irrit ish
island isn isnt isol issu it itali itch item iter itself ive ivi ivori jab jack jackass jacket jade jag jail jam janitor januari
japan japanes jargon javelin jaw jazz jealous jealousi jeep jeez jelli jeopard jeopardi jerk jerki jesus jet jetti jewel jewelri
jhu jig jingl jinx job jock jog join joint joke jolt jostl jot journal journalist journey jovial joy joyous judg judgement
judgment judici jug juggl juic juli jumbl jump june jungl junior junk junki juri just justic justif justifi jut karat karma keel
keen keep keepsak kept kettl key keyboard keyhol keynot keyword khan kick kid kidnap kidney kill killer kimono kin kind kinda
kindergarten kindl king kingdom kiss kitchen kite kitten knack knee kneel knew knife knight knit knob knock knot know knowledg
known knuckl korea korean kudo lab label labmat labor laboratori labour labyrinth lac lace lack lad ladder laden ladi lag laid
lair lake lamb lame lament lamp land landlord landmark landscap lane languag lanki lantern lap lapel laps laptop larg larger
largest lash lasso last latch late later latest latex latin latt latter laugh laughter launch laundri lava lavend law lawn
lawsuit lawyer lax lay layer layout lazi lazili lead leader leadership leaf leagu leak lean leap learn learner learnt leas leash
least leather leav lectur led ledg ledger leer leeway left leftov leg legaci legal legend legendari legion legisl legit legitim
lehigh leisur lemon lemonad lemur len lend length lengthi lenienc lenient lens lent lesbian less lessen lesser lesson lest let
lethal letter level lever leverag levit ley lgbt lgbtq liabil liabl liaison liar liber librari librarian licens lick lid lie
lieu life lifeboat lifeless lifelin lifelong lifesav lifestyl lifetim lift light lighten lighter lighthous lightn like
likelihood likewis limb limbo lime limerick limit limo limousin limp line linear liner ling linger linguist link linkedin linux
lion lip lipstick liquid liquor list listen lit liter literaci literari literatur lith litter littl livabl live liver livid
lizard lmao lmaoo lmfao lms load loaf loan loath lob lobbi lobster local locat lock lockdown locker locket lodeston lodg loft
log logic logist logo loin lol london lone loneli loner long longbow longer longest look lookout loom loop loophol loos loosen
lor lordship lose loser loss lost lot lotteri loud loudspeak loung lousi love lover low lower lowest lowkey lowli loyal loyalti
luck lucki luckili lucrat ludicr lug luggag lumber lump lunar lunat lunch lung lurch lure lurk lush lust luxuri lyric mac
macbook machin machineri macho macro mad made madman magazin magic magician magma magnet magnifi magnific magnitud mahogani maid
maiden mail mailbox main mainstream maintain mainten majest majesti major make maker makeshift makeup makin malais male malici
mall mama man manacl manag mandat mandatori mane maneuv mangl manhol mani maniac manic manicur manifest manipul mankind
mannequin manner manor mansion mantl manual manufactur manuscript map mapl marathon marbl march margin marijuana mark marker
market marketplac maroon marri marriag martial maryland mascot mash mask masquerad mass massacr massag massiv mast master
masteri mastiff masturb mat match mate mater materi matern math mathemat mathematician matlab matricul matrix matter mattress
matur maul mausoleum maw max maxim maximum may mayb mayonnais maze mba mcat mdpi meager meal mean meander meaning meaningless
meant meantim meanwhil measur meat meatbal meati mechan med medal medallion media median mediat medic medicin mediev mediocr
medit medium meet meh melancholi mele melodi melt meltdown member membership meme memo memor memori men menac mendeley menial
mental mention mentor mentorship menu meow mercenari merchandis merchant merci mere merg merit meritocraci merri mesa mesh
mesmer mess messag messeng messi met metabol metal metaphor meteor meteorit meter method methodolog meticul metric metro mfa
miami michigan micro microbiolog microphon microscop microsoft microwav mid midair midday middl midnight midsect midst midterm
midwest might mighti migrain migrat mild mile mileag mileston militari militia milk mill million millionair mime mimic mimosa
min mind mindless mindset mine miner minerva mingl mini miniatur minim minimum minion minivan minnesota minor mint minus minut
miracl miracul mirror mis misconcept misconduct miser miseri misfir misfortun misguid misinform misinterpret mislead misplac
misread misrepres miss missil mission mist mistak mistaken misti mistreat mistrust misunderstand misunderstood mit mitig mix
mixer mixtur moan moat mob mobil mock mod mode model moder modern modest modif modifi modul moistur mold mole molecular molten
mom moment momentari momentarili momentum momma mon monday money monitor monkey monograph monolith monopoli monoton monster
monstros monstrous month monument moo mood moodi moon moonlight moonlit moot mop moral morbid more moreov morgu morn moron
morphin morrow mortal mortar mortgag mosquito moss most mother motherfuck motion motionless motiv motor motorcycl motto mound
mount mountain mountainsid mourn mourner mous moustach mouth mouthpiec move movement movi mow mph msc much muck mud muddi muffl
mug mull multi multipl multipli multitud mum mumbl mummi mundan mural murder murki murmur muscl muscular muse museum mushroom
music musician musket must mustach muster musti mutant mutat mute mutil mutter mutual muzzl myself mysteri mystic mystifi myth
nada nag naga nah nail naiv nake name nanni nap napalm napkin narcissist narrat narrow narrowli nasa nasti nation nativ natur
naught naughti nausea navi navig nay near nearbi nearer nearest neat necess necessari necessarili neck necklac necrom necromanc
necrot need needl needless negat neglect neglig negoti neighbor neighborhood neither neon nephew nepot nerd nerv nervous ness
nest nestl net netflix netherland network neu neuro neurolog neurosci neuroscientist neurot neutral never nevertheless new
newborn newer newest newli news newslett newspap newsstand next ngl nhs nibbl nice nicer nich nicknam niec nigga nigger night
nightclub nighter nightgown nightmar nighttim nih nimbl nine nineteen nineti ninth nip nippl nobel nobl nobodi nod nois noisi
nomin non nonchal none nonetheless nonexist nonprofit nonsens nonstop noodl nook noon noos nope nor norm normal normalci north
northeast northeastern northern northward northwest northwestern nose nostalg nostril not notabl notat notch note notebook
notepad noth notic notif notifi notion notori notr nov novel novelti novemb now nowaday nowher npc nsf ntt nuanc nuclear nude
nudg nuke null numb number numer nun nurs nurseri nurtur nut nutrit nuzzl nyc nymph nyu oak oar oasi oatmeal obedi obelisk obes
obey object oblig obliter oblivi oblivion obnoxi obscen obscur observ obsess obsidian obsolet obstacl obstruct obtain obvious
occas occasion occup occupi occur occurr ocd ocean octob odd ofc off offend offens offer offic offici offset often oftentim ogr
ohh ohhh ohio oil okay old older oldest ole oliv olympiad ombud ombudsman omg omin onc oncom one onedr ongo onion onli onlin
onslaught onto onus onward onyx oo oof ooh oooh oop ooz op opal opaqu open oper opera opinion oppon opportun oppos opposit
oppress opt optic optim optimist option oral orang orb orbit orchard orchestr orchestra orcid ordeal order ordinari ore oregon
org organ organis organiz orgasm orgo orient origin ornament ornat orphan osu other otherwis ought ounc our ourselv out outbreak
outburst outcast outcom outcrop outdat outdoor outer outfit outgo outhous outing outlet outlier outlin outlook output outrag
outreach outright outsid outskirt outstand outward outweigh oval oven over overachiev overal overbear overboard overcoat overcom
overestim overflow overgrown overhaul overhead overhear overkil overlap overleaf overload overlook overnight overpow overpr
overr overreact overrid overrun overs oversea oversight overstep overt overtak overthink overtim overturn overview overweight
overwhelm overwork owe owl own owner ownership oxbridg oxford oxygen pace pack packag packet pact pad paddi paddl padlock page
paid pain paint painter pair pajama pal palac paladin pale palm palpabl pancak pandem pane panel panic panick pant panti pantri
papaya paper paperwork par parad paradigm paradis paradox paragraph paraleg parallel paralysi paralyz paramet paranoia paranoid
parapet paraphras parasit parchment pardon parent park parka parlay parlor parodi parri parrot part partak parti partial
particip particl particular partit partner partnership pas pass passag passageway passeng passion passiv passport password past
pastri pat patch patent path pathet patholog pathway patienc patient patio patrol patron pattern paus pave pavement paw pawn pay
payback paycheck payment payoff payrol pdf pdfs pea peac peach peak peanut peasant peasantri pebbl peck peculiar pedagog
pedagogi pedal peddl pedest pedestrian pedigre pee peek peel peep peer peev peg pell pen penal penalti pencil pend pendant
penetr peni penn penni pension peopl pep pepper per perceiv percent percentag percentil percept perch perfect perfection
perfectionist perform perfum perhap peril perimet period peripher perish perk perman permeat permiss permit perpetr perpetu
perplex persever persist person persona personnel perspect persuad persuas pertain pertin perturb perus pervert pessimist pet
petit petrifi petti pew pharma pharmaceut pharmaci phase phd phds phenomenon philosoph philosophi phone phoni photo photocopi
photograph photographi phrase physic physician physicist physiolog piano pic pick picket picki pickup picnic pictur pie piec
pier pierc pig pigeon piggi piggyback pile pill pillar pillow pilot pimp pin pincer pinch pine ping pinki pinnacl pinpoint pint
pipe pipelin piqu pirat pis piss pistol pit pitch pitcher piti pitt pivot pixi pizza place placement plagiar plagiaris plagu
plain plaintiff plan planar plane planet plank planner plant plantat plaqu plasma plaster plastic plate platform platinum
platter plausibl play player playground playlist plea plead pleas pleasant pleasur pledg plenti plethora plod plop plot plow pls
pluck plug plumber plume plummet plung plural plus poc pocket pod podcast podium poem poet poetic poetri point pointer pointless
pois poison poke poker polar pole poli polic policeman polici polish polit politician poll pollut pomodoro pond ponder poni
ponytail poof pool poop poor pop popcorn poppycock popul populac popular porcelain porch pore pork porn porno port portabl
portal portfolio porthol portion portrait portray pose posit poss possess possibl post postdoc postdoctor poster postgrad
postgradu postpon postur pot potato potenti potion pouch pounc pound pour pout poverti powder power powerless powerpoint ppl
practic practition pragmat prais prank pray prayer pre preach preacher precari precaut preced precious precipic precis predat
predatori predica predict predictor predomin prefac prefer pregnanc pregnant prejudic prelim preliminari prematur preme premier
premis premium preoccupi prep prepar prereq prerequisit prescrib prescript presenc present preserv presid presidenti press
pressur prestig prestigi presum presumptu pretend pretens pretenti pretti prevail preval prevent preview previous prey pri price
prick pride priest primal primari primarili primit princess princeton princip principl print printer printout prior priorit
prioriti prioritis prison privaci privat privileg prize pro proactiv prob probabl probat probe problem problemat procedur
proceed process processor proclaim procrastin proctor procur prod prodigi produc product prof profess profession professor
professorship profici profil profit profound profus program programm progress prohibit project projectil projector prolong prom
promin promis promot prompt prone pronoun pronounc proof proofread prop propel proper properti proport propos proposit
proprietor pros prose prospect prosper prostitut protect protector protein protest protocol prototyp protrud proud prove proven
provid provinc provis provoc provok provost prowess proxi proxim psa psat pseudo psych psychiatr psychiatrist psychic psycho
psycholog psychologist psychopath psychot ptsd pub public publish pud puddl puf puff puffi puke pull puls pummel pump pun punch
punctuat punctur punish punk pupil puppet puppi purchas purdu pure purpl purpos purs pursu pursuit push pushi pussi put puzzl
pygmi pyramid pyre python quadrupl quaint quak qual qualif qualifi qualit qualiti quant quantifi quantit quantiti quantum
quarantin quarri quarter queer queri quest question questionnair queue quick quicken quicker quiet quill quilt quirki quit
quitter quiver quiz quizlet quizz quot quota quotat rabbit race racial racism racist rack racket rad radar radiant radiat radic
radio radius raft rafter rag rage raid rail railroad rain rainbow raincoat raini rais rake ralli ram rambl ramif ramp rampag
rampant ran ranch random rang rank ransack ransom rant rap rape rapid rapier rappel rapport raptor rare ras rash rasp raspberri
rat rate ratemyprofessor rather ratio ration rational rattl raucous ravag ravin raw ray razor rea reach react reaction reactor
read readabl reader readi readili readjust reagent real realis realist realiti realiz realize realli realm reappear rear
rearrang reason reassess reassign reassur rebel rebellion rebuild rebuilt rec recal recap reced receipt receiv recent recept
recess recharg recip recipi reciproc recit reckless reckon reclaim reclin recogn recognis recognit recogniz recoil recollect
recommend reconcil reconsid reconstruct reconven record recours recov recoveri recreat recruit recuper recur recycl red redact
reddish reddit redditor redeem redempt redhead redirect redneck redo reduc reduct redund reef reel reevalu ref refer refere
referenc referr refil refin refineri reflect reflex refocus reform refrain refram refresh refriger refuge refund refus refut
regain regal regard regardless regener regiment region regist registr registrar regress regret regroup regul regular regurgit
rehears reign reimburs rein reinforc reiter reject rejoin relat relationship relax relay relearn releas relentless relev reli
reliabl relic relief reliev religi religion relish reload reloc reluct remain remaind remark remedi rememb remind remindm
remindmebot reminisc remiss remnant remors remot remov render renew renov renown rent rental reopen reorgan rep repair repay
repeat repel repercuss repetit rephras replac replay repli replic report repositori repres represent repress reprimand reproduc
reproduct repuls reput req request requir requisit reread res reschedul rescind rescu research resembl resent reserv reset resid
residenti residu residuum resign resili resist resolut resolv reson resort resound resourc respect respiratori respond respons
rest restaur restless restor restrain restraint restrict restroom resubmit result resum resurrect retail retain retak retali
retard retch retent rethink retir retrac retract retreat retribut retriev retrospect return reunion reunit reus reveal revel
reveng revenu rever reverber reveri revers revert review revis reviv revok revolt revolut revolutionari revolv reward rewrit rex
rhetor rhino rhinocero rhyme rhythm rhythmic rib ribbon rice rich ricketi ricochet rid ridden riddl ride rider ridg ridicul riff
rifl rift rig right righteous rigid rigor rim ring rins riot rip ripe rippl rise risk riski rite ritual rival river riverbank
rivet rlli rmp roach road roadblock roadsid roadway roam roar roast rob robber robberi robe robot robust roc rock rocket rocki
rockslid rod rodeo rogu roil role roleplay roll roller romanc romant romantic roof rooftop room roommat root rope rosari rosi
roster rot rotat rote rotor rotten rough round roundabout rous rout routin rove row royal royalti rub rubber rubbish rubbl rubi
rubric ruckus ruddi rude ruffl rug ruin rule ruler rum rumbl rumin rummag rumor run rundown rune rung runner runway rupe rural
ruse rush rust rusti rustl rut rutger ruthless sabbat sabotag sack sacr sacrif sacrific sad sadden saddl sadist safe safer
safeti sag sage said sail sailor saint sake salad salamand salari sale salesman saliva salmon salon saloon salt salti salut
salvag salvat same sampl san sanction sanctum sand sandwich sane sang sanit saniti santa sap sapphir sarcasm sarcast sarcophagus
sat satchel satellit satin satir satisfact satisfactori satisfi satur saturday satyr sauc saucer saunter sausag savag save saver
savior savvi saw say scabbard scaffold scale scalp scalpel scam scan scandal scanner scar scarab scarc scare scarf scari scatter
scaveng scenario scene sceneri scent scepter schedul scheme scholar scholarship school schooler schoolwork sci scienc scientif
scientist scimitar scissor scoff scold sconc scoop scoot scope scorch score scorpion scotch scoundrel scour scourg scout scowl
scrabbl scrambl scrap scrape scratch scrawl scrawni scream screech screen screenplay screenshot screw screwdriv scribbl scribe
script scroll scroung scrub scruff scrutin scrutini scuffl sculptur scum scurri sea seal seam sear search season seat seattl sec
second secondari secret secretari section sector secur sedan sedat seduct see seed seedi seek seem seen seep seeth segment seiz
seizur select self selfish sell seller semant semblanc semest semi seminar send senior sens sensat sensibl sensit sensor sensori
sensual sent sentenc sentiment sentri separ septemb sequenc seren seri serial serious serpent serum serv servant server servic
session set setback settl settlement setup seven seventeen seventh seventi sever sew sewer sex sexi sexism sexist sexual shabbi
shack shackl shade shadi shadow shadowi shaft shake shaken shaki shall shallow shambl shame shameless shank shape shard share
shark sharp sharpen sharper sharpli sharpshoot shatter shave shaven shawl shawm she shear sheath shed sheep sheepish sheer sheet
shelf shell shelter shelv shenanigan shepherd shi shield shift shimmer shimmi shine shini ship shipwreck shirt shit shite
shithead shitpost shitti shiver shock shoe shook shoot shooter shop shopper shore shorelin short shortag shortcom shortcut
shorten shorter shortlist shot shotgun should shoulder shouldn shout shove shovel show showcas showdown shower shown shrapnel
shred shriek shrill shrine shrink shrivel shroud shrug shudder shuffl shut shutdown shutter shuttl shyli sibl sick sicken side
sidebar sidelin sidestep sidewalk sieg sift sigh sight sign signal signatur signifi signific silenc silent silhouett silk silli
silt silver silverwar similar simpl simpler simpli simplifi simul simultan sin sinc sincer sing singer singl singular sinist
sink sinkhol sip siphon sir siren sis sister sit site situat six sixteen sixth sixti sizabl size sizzl skate skateboard skelet
skeleton skeptic sketch sketchi skew ski skid skill skillset skim skin skip skirt skull sky skylight skylin skype skyscrap slab
slac slack slacker slain slam slant slap slash slate slaughter slave slaveri slay sledgehamm sleek sleep sleeper sleepi
sleepless sleet sleev sleight slender slept slew sli slice slick slide slight slightest slim slime slimi sling slink slip
slipper slipperi slit sliver slog slope sloppi slot sloth slouch slow slower slowli sludg slug slum slumber slump slur slurp
slut smack small smaller smallest smart smarter smartest smash smatter smear smell smelt smh smile smiley smirk smoke smolder
smooth smoother smug snack snag snail snake snap snapshot snare snarl snatch sneak sneaker sneaki sneer sneez snicker sniff
sniffl sniper snitch snoop snore snort snout snow snowbal snowfal snowflak snuff snuggl soak soap soar sob sober soccer sociabl
social socialis societ societi socioeconom sociolog sock socket sod soda sofa soft soften softwar soil solac solar sold soldier
sole solemn solicit solid solidar solidifi solitari solo solut solv somber some somebodi someday somehow someon someplac
somersault someth sometim somewhat somewher son sonar song sonnet soon sooner sooo soooo soot sooth sop sophist sophomor sorcer
sorceri sore soror sorri sorrow sort sorta sought soul sound soundtrack soup sour sourc south southeast southern southward
southwest souvenir spa space spacecraft spaceship spaghetti spam span spanish spare spark sparkl spars spasm spatial spatter
speak speaker speakerphon spear spec speci special specialis specialist specialti specif specifi specimen speck spectacl
spectacular spectat spectral spectrum specul speech speechless speed speedboat spell spend spent sperm sphere sphinx spi spice
spider spike spill spin spinal spine spiral spire spirit spiritu spit spite splash splat splatter splinter split spoil spoiler
spoke spoken spong sponsor sponsorship spontan spook spoon sporad sport spot spotlight spous spousal spout sprawl spray spread
spreadsheet spring sprinkl sprint sprout spss spur spurt sputter squad squadron squar squash squat squaw squawk squeak squeal
squeez squelch squint squirm squirrel squirt squish ssa stab stabil stabl stack staff stage stagger stagnant stain stainless
stair staircas stairway stairwel stake stalactit stale stalk stalker stall stammer stamp stanc stand standard standpoint
stanford stapl star starboard starbuck stare start starter startl startup starv stash stat state statement static station
stationari statist statistician statu statur status stay steadi steadili steak steal stealth stealthi stealthili steam steamrol
steel steep steer steerag stellar stem stench stencil step stereo stereotyp steril stern sternum stew steward stick sticker
sticki stiff stiffen stiffli stifl stigma still stimul sting stinger stingi stink stinki stint stipend stipul stir stitch stock
stocki stoic stoke stole stolen stomach stomp stone stonework stood stool stoop stop storag store storefront stori storm
storytel stove stow straddl straggler straight straighten straightforward strain strand strang stranger strangl strap strateg
strategi straw strawberri stray streak stream streamer streamlin street strength strengthen stress stressor stretch stretcher
strewn stricken strict stride strike string strip stripe stripper strive strobe stroke stroll strong stronger strongest
stronghold struck structur struggl strung strut stub stubbl stubborn stuck stud student studi studio studious stuf stuff stuffi
stumbl stump stun stung stunt stupid sturdi stutter style stylish stylus sub subconsci subdu subfield subject submarin submerg
submiss submit subordin subreddit subscrib subscript subsequ subset subsid substanc substant substanti substitut subt subtitl
subtl subtract suburb suburban subway succeed success succinct succubus succumb such suck sucker sudden sue suffer suffic
suffici suffoc sugar suggest suicid suit suitabl suitcas sulfur sullen sultan sum summar summari summer summon sun sunday sunder
sundown sunglass suni sunk sunken sunlight sunni sunris sunset sunshin sup super superfici superior supermarket supernatur
superstar superstiti supervis supervisor supper supplement supplementari suppli support suppos suppress suprem sure surf surfac
surfer surg surgeon surgeri surnam surpass surpris surreal surrend surround surveil survey surviv survivor sus suscept suspect
suspend suspens suspici suspicion sustain swag swallow swamp swan swap swarm swarthmor swath sway swear sweat sweater sweati
sweatshirt sweden sweep sweet sweetheart sweeti swell swerv swift swig swim swing swipe swirl swish switch swivel swollen swoon
swoop swoosh sword sworn syllabus symbol sympath sympathet sympathi symphoni symptom sync synchron syndic syndrom synonym
synthes synthesi synthet syracus syring system systemat ta tab tabl tableau tablet tabletop taboo tack tackl taco tact tactic
tad tag tagger tail tailor taint take takeaway taken taker takin tale talent talk talker talki tall talli talon tame tamper tan
tangent tangenti tangibl tangl tank tankard tap tape taper tapestri tar target tarnish tarp tas task tast tasti tatter tattoo
taught taunt taut tavern tax taxi tbh tea teach teacher team teammat teamwork tear teas tech technic technician techniqu
technolog teddi tedious tee teen teenag teeter teeth telephon teleport telescop televis tell teller telugu temp temper
temperatur templ templat temporari temporarili tempt temptat ten tenant tend tendenc tender tendril tenni tenor tens tension
tent tentacl tentat tenth tenuous tenur tepe tequila term termin terminolog terrac terrain terribl terrif terrifi territori
terror terrorist test testament testifi testimoni tether texa text textbook textur than thank thanksgiv that thaw the theater
theatric theft their them theme themselv then theorem theoret theori theorist therapeut therapi therapist there thereaft therebi
therefor thermo these thesi they theyr thick thief thiev thigh thin thing think thinker thinner third thirst thirsti thirteen
thirti this tho thorni thorough thoroughfar those thou though thought thousand thrash thread threat threaten three threshold
threw thrill thrive throat throb throne through throughout throw throwaway thrower thrown thru thrust thud thumb thump thunder
thunk thursday thus thx tick ticket tickl tide tidi tie tier tiger tight tighten til tile till tilt timber time timelin timer
timet timid tin tinder ting tingl tini tinker tint tip tipsi tipto tire tissu tit titan titl tldr toast tobacco today toddler
toe togeth toggl toilet token told toler toll tomato tomb tome tomorrow ton tone tong tongu tonight too took tool toolbox tooth
toothbrush top topic topographi toppl torch torchlight tore torment torn tornado toronto torrent torso tortur toss total touch
touchi tough tour tourist tournament tousl tow toward towel tower town townsfolk townspeopl toxic toy track tracker traction
trade tradit traffic tragedi tragic trail trailer train traine trait traitor trajectori trammel trampl tran tranc tranquil
transact transcrib transcript transfer transfix transform transit translat transluc transmiss transmit transmitt transmut
transom transpar transpir transport trap trash trauma traumat travel travers tray treacher tread treadmil treasur treasuri treat
treatment trebuchet tree trek trembl tremend tremor trench trend trepid tri trial triangl triangular tribal tribe tribut
triceratop trick trickeri tricki trickl trident trig trigger trim trio trip tripl triumph triumphant trivial troll troop trooper
trophi tropic trot troubl troubleshoot trough troup trouser truck trudg true truli trumpet trunk trust trustworthi truth tub
tube tuck tuesday tuft tug tuition tulan tumbl tumor tune tunic tunnel turbin turbul turf turkey turn turnaround turnitin turnov
turtl tutor tutori tux tuxedo tweak tweet twelv twenti twice twig twin twine twinkl twirl twist twitter two type typewrit typic
typo uc ucb uchicago ucla ucsb ucsd ugh ugli uiuc ultim ultra umass umber umbrella umd umich unabl unaccept unaffect unanim
unarm unavail unavoid unawar unbear unbeliev unblink unbutton unc uncertain uncertainti unchang uncl unclear uncomfort uncommon
unconsci uncontrol unconvinc uncov undecid under underbelli undercov underestim undergo undergrad undergradu underground
undermin underpaid underr undersid understand understood undertak underwat underway underwear undiagnos undo undon undoubt
undress undul unearth uneasi uneasili unemploy uneth unexpect unfair unfamiliar unfavor unfold unfortun unfund unhappi unhealthi
unheard unhelp uni unicorn unifi uniform unimport unimpress unintellig unintent union uniqu unison unit univers unkempt unknow
unknown unleash unless unlik unlimit unload unlock unlucki unmistak unmotiv unmov unnatur unnecessari unnecessarili unnot
unoffici unpack unpaid unpleas unpopular unpreced unpredict unprepar unproduct unprofession unpublish unqualifi unravel unreal
unrealist unreason unrel unreli unrest unsaf unscath unscrew unseen unsettl unshaven unsolv unspoken unstabl unsteadili
unsuccess unsur unti until untouch untru unus unusu unveil unwant unweight unwelcom unwil unwind unwis uoft up upbring upcom
updat upenn upfront upgrad uphil uphold uplift upload upon upper upright uproot upset upsid upstair upstat uptown upturn upvot
upward urban urg urgenc urgent urin url urn usa usabl usag usb usc usd use useless user usernam usher usual utc utensil util utm
utter uva vacant vacat vaccin vacuum vagina vagu vain valedictorian valet valiant valid valley valu valuabl valv vampir van
vanderbilt vanish vaniti vantag vapor var vari variabl variant variat varieti various varsiti vase vassar vast vat vault vector
veer vegan veget vegetarian veggi vehicl veil vein veloc vendor veng vengeanc venom vent ventil ventur venu verbal verg veri
verifi vers versa versatil version versus vertic vessel vest vet veteran via viabl vial vibe vibrant vibrat vice vicin vicious
victim victori video videotap view viewer viewpoint vigil vigor vile villag villain vine vintag vinyl violat violenc violent
violet violin virgin virtu virtual virus visa visag viscous visibl vision visit visitor visor visual vital vitamin viva vivid
vocabulari vocal vocat vodka voic void volcan volcano volleybal volum volunt voluntari voluntarili vomit vortex vote vouch vow
voyag vulner wad waffl waft wag wage wager wagon wail waist waistband wait waiter waitlist waitress waiv waiver wake walk
walkway wall wallet wallow wallpap walmart waltz wand wander wane wanna want war wardrob ware warehous warfar wari warili warm
warmer warmth warn warp warrant warrior was wash washington washroom washu wasn wasnt wast wasteland watch watcher water
waterfal wateri watermelon waterproof wave waver wax way wayward weak weaken wealth wealthi weapon weaponri wear weari wearili
weather weav web webcam webpag websit wed wedg wednesday wee weed week weekday weekend weep weigh weight weird weirdo welcom
weld welfar well wellb welp went were weren west western wet whack whale whammi what whatev whatnot whatsapp whatsoev wheat
wheel wheelchair wheez when whenev where wherea whereabout wherev whether whi which whichev whiff while whilst whim whimper
whine whip whir whirl whirlwind whisk whiskey whiski whisper whistl white whiz whizz who whoever whole wholesom wholli whom
whoop whoosh whore whose wick wide widen wider widespread width wield wife wifi wig wiggl wiki wikipedia wild wilder wildlif
will willi willing willpow wilt win winc winch wind windi window windshield wine wing wink winner winter wipe wiper wire
wisconsin wisdom wise wish wisp wist wit with withdraw withdrawn withdrew wither withhold within without withstand wizard woah
wobbl woe woke wolf wolframalpha woman women won wonder wondrous wont wood wooden wool word wordless work workahol workbench
workday worker workflow workforc workload workout workplac worksheet workshop workspac world worldwid worm worn worri wors
worsen worship worst worth worthi worthless worthwhil would wouldn wouldnt wound woven wow wrack wraith wrap wrapper wrath
wreath wreck wreckag wrench wrestl wretch wrinkl wrist wristwatch writ write writer writh written wrong wrote wtf www wyvern xxx
xyz yacht yale yall yank yard yawn yay yea yeah year yearbook yearn yell yellow yelp yep yes yesterday yet yield yike ymmv yoga
york you young younger youngster your yourself youth youtu youtub yrs yup zag zap zero zig ziggurat zip zipper zombi zone zoo
zoom zotero
"""
_STEMS = frozenset(_COMMON.split())


@lru_cache(maxsize=2**14)
def is_common(word: str) -> bool:
    """Tell whether a word in lower case is a common English word, in any of its forms; words of one or two letters are."""
    return len(word) < 3 or (word.isascii() and len(word) < 40 and stem_word(word) in _STEMS)
