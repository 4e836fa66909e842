//! The statement of single contracts.
use tokio_postgres::{Error, Row};

use super::ITEM;
use crate::database::Database;
use crate::turn::Question;

pub fn statement() -> String {
    format!(
        "
  select {ITEM}, t.descripcion, s.hijos, s.monto::text, s.otras::text,
    (t.monto - coalesce(e.convenios, 0.00))::text, (t.fecha_fin - coalesce(e.dias, 0))::text, coalesce(e.extra, 0.00)::text,
    coalesce(e.autorizado, 0.00)::text, (t.monto - coalesce(e.autorizado, 0.00))::text, q.place
  from unnest($1::int[], $2::bigint[]) with ordinality q (company, id, place)
  join contracts t on t.company_id = q.company and t.id = q.id
  left join contrapartes p on p.id = t.contraparte_id
  left join contract_sums e on e.company_id = t.company_id and e.contract_id = t.id
  cross join lateral (
    select coalesce(sum(h.hijos), 0)::int as hijos, coalesce(sum(h.monto) filter (where h.moneda = t.moneda), 0.00) as monto,
      coalesce(json_object_agg(h.moneda, h.monto::text) filter (where h.moneda <> t.moneda), '{{}}') as otras
    from subcontract_sums h where h.company_id = t.company_id and h.parent_id = t.id and h.hijos > 0) s"
    )
}

/// Asks for a contract of a company.
#[derive(Clone)]
pub struct Find {
    pub company: i32,
    pub id: i64,
}

impl Question for Find {
    type Answer = Option<Row>;

    async fn answer(database: &Database, questions: &[Self]) -> Result<Vec<Option<Row>>, Error> {
        let companies: Vec<i32> = questions.iter().map(|find| find.company).collect();
        let ids: Vec<i64> = questions.iter().map(|find| find.id).collect();
        let mut found: Vec<_> = questions.iter().map(|_| None).collect();
        for row in database.query(|s| &s.find_contracts, &[&companies, &ids]).await? {
            let place = row.get::<_, i64>(29) as usize;
            found[place - 1] = Some(row);
        }
        Ok(found)
    }
}
