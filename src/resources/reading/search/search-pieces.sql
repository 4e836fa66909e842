-- The pieces that a record with the term must have: those from the term's first character or those from its second, because the term can
-- start at an odd or even position of a word. Null for a term of less than two characters. A long term uses its last two pieces: a third
-- one that many records have takes longer to look up than it saves. Words differ in all letters, numbers in their last digits. So the two
-- pieces overlap if there is a digit among the last four characters, and neither is only the common beginning of all numbers. If a single
-- piece omits the last character, the last three characters are looked up too if they contain a digit. Of words, they would match every
-- word with the same ending.
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
$$;
