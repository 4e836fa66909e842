import { Migration } from '@mikro-orm/migrations'

const admitted = "company_id = any ((select nullif(current_setting('app.companies', true), '')::int[])::int[])"

/** What keeps requests as fast in a company of many contracts as in one of few. */
export class Migration9Growth extends Migration {
  override up (): void {
    this.policies()
    this.pieces()
    // The list that a tree begins with. A subcontract has no entry here, so that it costs it nothing.
    this.addSql('create index contracts_mains_index on contracts (company_id, id) where parent_id is null')
  }

  private policies (): void {
    // As a select of its own the setting is read and taken apart once a statement; as it was it was once for each row that was looked at.
    for (const table of ['contrapartes', 'contracts', 'changes', 'estimates']) {
      this.addSql(`alter policy company_admitted on ${table} using (${admitted}) with check (${admitted})`)
    }
    const orNone = `company_id is null or ${admitted}`
    this.addSql(`alter policy company_admitted on idempotency_keys using (${orNone}) with check (${orNone})`)
  }

  private pieces (): void {
    // What a record with the term must have, as migration 7 says, but of a long term its last two pieces: a third that many records have takes
    // longer to look up than it saves. Words are told apart by all their letters, numbers by their last digits: where there is a digit among the
    // last four characters the two pieces overlap, so that neither is what all numbers begin with. Where a single piece leaves the last character
    // out, the three last ones are asked for too if there is a digit among them; of words that would find all those that end alike.
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
