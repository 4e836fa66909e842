import { Migration } from '@mikro-orm/migrations'

const admitted = "company_id = any ((select nullif(current_setting('app.companies', true), '')::int[])::int[])"

/** Keeps requests in companies with many contracts as fast as in small ones. */
export class Migration9Growth extends Migration {
  override up (): void {
    this.policies()
    this.pieces()
    // The first list of a tree. Subcontracts have no entry in it, so they do not maintain it.
    this.addSql('create index contracts_mains_index on contracts (company_id, id) where parent_id is null')
  }

  private policies (): void {
    // As a subquery the setting is read and parsed once per statement. Before, it was once per row.
    for (const table of ['contrapartes', 'contracts', 'changes', 'estimates']) {
      this.addSql(`alter policy company_admitted on ${table} using (${admitted}) with check (${admitted})`)
    }
    const orNone = `company_id is null or ${admitted}`
    this.addSql(`alter policy company_admitted on idempotency_keys using (${orNone}) with check (${orNone})`)
  }

  private pieces (): void {
    // As in migration 7, but a long term uses its last two pieces: a third one that many records have takes longer to look up than it saves. Words
    // differ in all letters, numbers in their last digits. So the two pieces overlap if there is a digit among the last four characters, and neither
    // is only the common beginning of all numbers. If a single piece omits the last character, the last three characters are looked up too if they
    // contain a digit. Of words, they would match every word with the same ending.
    this.addSql(String.raw`
      create or replace function search_pieces(company int, term text) returns text
      language sql immutable parallel safe strict as $$
        select '(' || string_agg(pieces, ' | ') || ')'
        from (
          select '(' || string_agg('''' || company || ':' || replace(replace(piece, '\', '\\'), '''', '''''') || '''' || case when length(piece) < 4 then ':*' else '' end, ' & ') || ')' as pieces
          from (values (1), (2)) starts (first)
          cross join lateral (
            select substr(term, greatest(length(term) - 3 - (length(term) - 3 - first) % 2 - before, first), 4) as piece
            from (values (0), (case when right(term, 4) ~ '[0-9]' then 2 else 4 end)) of_two (before)
            union
            select right(term, 3) where length(term) = first + 4 and right(term, 3) ~ '[0-9]') cut
          group by first) either
        where length(term) > 1 and strpos(term, ' ') = 0
      $$`)
  }
}
