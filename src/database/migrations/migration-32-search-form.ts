import { Migration } from '@mikro-orm/migrations'

/**
 * Search ignores the differences between ß and ss, final and other sigma, ø and o, and dots, so that `sa de cv` finds "S.A. de C.V.". The
 * columns keep the form of `search_text`, which servers of the previous release compare. The search index has the new form (decision 8).
 */
export class Migration32SearchForm extends Migration {
  override up (): void {
    this.forms()
    // obra_search owns the functions: see baseline/roles.sql.
    this.membership('grant obra_search to')
    this.functions()
    // Empties the index.
    this.addSql(`
      do $$
      declare kept search_resources;
      begin
        for kept in select * from search_resources order by name loop
          call keep_search_of(kept.name, kept.reference, kept.referred);
        end loop;
      end $$`)
    this.membership('revoke obra_search from')
  }

  private forms (): void {
    // `sort_text` lowers letters and removes accents the same on every server. Initials are joined, so that "S. A." is like "S.A.".
    this.addSql(String.raw`
      create function search_letters(value text) returns text
      language plpgsql immutable parallel safe strict as $$
      declare
        plain text := translate(sort_text(normalize(value, nfkd)), 'łøđðħŧı', 'loddhti');
      begin
        plain := replace(replace(replace(replace(plain, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
        return replace(regexp_replace(plain, '(?<![a-z0-9])([a-z])\. (?=[a-z]\.)', '\1', 'g'), '.', '');
      end $$`)
    // Scans call it for each row. Most texts contain only ASCII and punctuation, and no initials with spaces. PostgreSQL inlines the
    // function.
    this.addSql(String.raw`
      create function search_form(value text) returns text
      language sql immutable parallel safe return case
        when (octet_length(value) = char_length(value) or value ~ '^[\t\n\r -~¡¿«»§°±×÷–—‘’“”•€]*$') and value not like '%. _.%' then replace(value, '.', '')
        else search_letters(value) end`)
    this.addSql("comment on function search_form is 'The searched form of a text that search_text has returned.'")
    this.addSql('create function search_term(value text) returns text language sql immutable parallel safe return search_form(search_text(value))')
  }

  private functions (): void {
    this.addSql(`
      do $$ begin
        execute replace(pg_get_functiondef('search.index_changes'::regproc),
          'select t.company_id, t.id, t.busqueda,', 'select t.company_id, t.id, search_form(t.busqueda),');
        -- Servers of the previous release pass terms in the form of search_text. They compare the candidates with these terms.
        execute replace(replace(pg_get_functiondef('search.candidates'::regproc),
          'strpos(t.busqueda,', 'strpos(search_form(t.busqueda),'),
          'pieces := search_pieces(company, term);', 'term := search_form(term); pieces := search_pieces(company, term);');
      end $$`)
  }

  private membership (change: string): void {
    this.addSql(`
      do $$ begin
        if not (select rolsuper from pg_roles where rolname = current_user) then
          execute format('${change} %I', current_user);
        end if;
      end $$`)
  }
}
