import { Migration } from '@mikro-orm/migrations'

// Letters with case that remain after decomposition (Latin, Greek, Cyrillic, Armenian). Final sigma becomes sigma.
const upper = 'ÆÐØÞĐĦĲĿŁŊŒŦƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƢƤƦƧƩƬƮƱƲƳƵƷƸƼǄǅǇǈǊǋǤǱǲǶǷȜȠȢȤȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣςΤΥΦΧΨΩϏϘϚϜϞϠϢϤϦϨϪϬϮϴϷϹϺϽϾϿЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖẞ'
const lower = 'æðøþđħĳŀłŋœŧɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵƣƥʀƨʃƭʈʊʋƴƶʒƹƽǆǆǉǉǌǌǥǳǳƕƿȝƞȣȥⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳαβγδεζηθικλμνξοπρσστυφχψωϗϙϛϝϟϡϣϥϧϩϫϭϯθϸϲϻͻͼͽђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆß'

/** A sort key of names that ignores case and accents, the same on every server (decision 29). */
export class Migration15NameOrder extends Migration {
  override up (): void {
    // `lower` under the collation "C" changes only ASCII letters on every server. Under other collations it depends on the locale.
    // `translate` compares each character with the whole table, so ASCII texts, which most names are here, skip it.
    this.addSql(`
      create function sort_text(value text) returns text
      language plpgsql immutable parallel safe strict as $$
      declare
        plain text := lower(regexp_replace(normalize(value, nfd), '[\\u0300-\\u036f]', '', 'g') collate "C");
      begin
        return case when octet_length(plain) = char_length(plain) then plain else translate(plain, '${upper}', '${lower}') end;
      end $$`)
    // A column, because row-level security prevents cursors from using an index on the expression: sort_text is not leakproof.
    this.addSql('alter table contrapartes add column nombre_orden text collate "C" generated always as (sort_text(nombre)) stored not null')
    this.addSql('create index contrapartes_nombre_orden_index on contrapartes (company_id, nombre_orden, id)')
  }
}
