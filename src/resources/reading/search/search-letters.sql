-- Quotation marks, apostrophes, primes, acute signs and invisible characters do not count, dashes are hyphens, and single letters with a
-- space between them are joined: `f'c`, `f’c`, `f´c` and `f c` are one word. Some of these characters become spaces in normal form, so they
-- are removed before, and normal form makes others, which are removed after. The last step joins letters that earlier steps have left alone.
create or replace function search_letters(value text) returns text
language plpgsql immutable parallel safe strict as $$
declare
  plain text := regexp_replace(value, '["''`«»\u00ad\u00b4\u02b9-\u02bf\u02c8\u02ca\u02cb\u02ee\u034f\u0384\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u1fbd\u1fbf\u1ffd\u1ffe\u200b-\u200f\u2018-\u201f\u202a-\u202e\u2032-\u203a\u2057\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uff02\uff07\uff40\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]', '', 'g');
begin
  plain := translate(sort_text(normalize(plain, nfkd)), 'łøđðħŧı‐‑‒–—―−ʼ′‵', 'loddhti-------');
  plain := replace(replace(replace(replace(plain, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  plain := replace(regexp_replace(plain, '(?<![a-z0-9])([a-z])\. (?=[a-z]\.)', '\1', 'g'), '.', '');
  return regexp_replace(plain, '(?<![a-z0-9])([a-z]) (?=[a-z](?![a-z0-9]))', '\1', 'g');
end
$$;
