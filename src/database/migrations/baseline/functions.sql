-- Functions that tables use.

-- Normalizes text for `search`: lower case, without accents (decomposed, without combining marks).
create function search_text(value text) returns text
language sql immutable parallel safe strict
return lower(regexp_replace(normalize(value, nfd), '[\u0300-\u036f]', '', 'g'));

-- A sort key of names that ignores case and accents, the same on every server (decision 8). `lower` under the collation "C" changes only
-- ASCII letters on every server. `translate` compares each character with the whole table, so ASCII texts, which most names are here, skip
-- it. The table has the letters with case that remain after decomposition (Latin, Greek, Cyrillic, Armenian). Final sigma becomes sigma.
create function sort_text(value text) returns text
language plpgsql immutable parallel safe strict as $$
declare
  plain text := lower(regexp_replace(normalize(value, nfd), '[\u0300-\u036f]', '', 'g') collate "C");
begin
  return case when octet_length(plain) = char_length(plain) then plain else translate(plain, 'ÆÐØÞĐĦĲĿŁŊŒŦƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƢƤƦƧƩƬƮƱƲƳƵƷƸƼǄǅǇǈǊǋǤǱǲǶǷȜȠȢȤȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣςΤΥΦΧΨΩϏϘϚϜϞϠϢϤϦϨϪϬϮϴϷϹϺϽϾϿЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖẞ', 'æðøþđħĳŀłŋœŧɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵƣƥʀƨʃƭʈʊʋƴƶʒƹƽǆǆǉǉǌǌǥǳǳƕƿȝƞȣȥⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳαβγδεζηθικλμνξοπρσστυφχψωϗϙϛϝϟϡϣϥϧϩϫϭϯθϸϲϻͻͼͽђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆß') end;
end $$;

-- Check digit of a Mexican tax id by the SAT's algorithm: 13 characters (a company's id is padded in front), the value of each character
-- times 13 … 2, modulo 11. For a text that is no tax id, the result has no meaning.
create function rfc_check_digit(rfc text) returns text
language sql immutable parallel safe strict
return (
  select case digit when 11 then '0' when 10 then 'A' else digit::text end
  from (
    select 11 - sum(
      (strpos('0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ', substr(lpad(rfc, 13, ' '), place, 1)) - 1) * (14 - place))::int % 11 as digit
    from generate_series(1, 12) place) computed);

-- A stamp is the microsecond at which a revision was raised. After the database has returned to an earlier state, it gives revisions out
-- again for other content, but never with the same stamp.
create function stamp_of(instant timestamptz) returns bigint
language sql stable return (extract(epoch from instant) * 1000000)::bigint;
create function stamp_time(stamp bigint) returns timestamptz
language sql stable return 'epoch'::timestamptz + stamp * interval '1 microsecond';
