-- A sort key of names that ignores case and accents, the same on every server (decision 8). `lower` under the collation "C" changes only
-- ASCII letters on every server. `translate` compares each character with the whole table, so ASCII texts, which most names are here, skip
-- it. The table has the letters with case that remain after decomposition (Latin, Greek, Cyrillic, Armenian). Final sigma becomes sigma.
create or replace function sort_text(value text) returns text
language plpgsql immutable parallel safe strict as $$
declare
  plain text := lower(regexp_replace(normalize(value, nfd), '[\u0300-\u036f]', '', 'g') collate "C");
begin
  return case when octet_length(plain) = char_length(plain) then plain else translate(plain, 'ÆÐØÞĐĦĲĿŁŊŒŦƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƢƤƦƧƩƬƮƱƲƳƵƷƸƼǄǅǇǈǊǋǤǱǲǶǷȜȠȢȤȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣςΤΥΦΧΨΩϏϘϚϜϞϠϢϤϦϨϪϬϮϴϷϹϺϽϾϿЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖẞ', 'æðøþđħĳŀłŋœŧɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵƣƥʀƨʃƭʈʊʋƴƶʒƹƽǆǆǉǉǌǌǥǳǳƕƿȝƞȣȥⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳαβγδεζηθικλμνξοπρσστυφχψωϗϙϛϝϟϡϣϥϧϩϫϭϯθϸϲϻͻͼͽђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆß') end;
end
$$;
