//! The statement of pages.
use std::collections::HashMap;
use std::sync::Arc;

use tokio_postgres::{Error, Row};

use super::{Contract, ITEM};
use crate::database::Database;
use crate::turn::Question;

pub const PAGE_SIZE: i64 = 20;

/// An empty page has one row without a contract.
pub fn statement() -> String {
    format!(
        "
  select {ITEM}, n.count, q.place
  from unnest($1::int[], $2::bigint[]) with ordinality q (company, skip, place)
  cross join lateral (select count(*) from contracts where company_id = q.company) n
  left join lateral (select * from contracts where company_id = q.company order by id limit {PAGE_SIZE} offset q.skip) t on true
  left join contrapartes p on p.id = t.contraparte_id
  order by q.place, t.id"
    )
}

/// Asks for a page of a company, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PageNumber {
    pub company: i32,
    pub number: i64,
}

#[derive(Default)]
pub struct Page {
    pub count: i64,
    rows: Vec<Row>,
}

impl Page {
    pub fn contracts(&self) -> Vec<Contract<'_>> {
        self.rows.iter().map(Contract::from).collect()
    }
}

impl Question for PageNumber {
    type Answer = Arc<Page>;

    /// Reads each page once, for all requests that ask for it.
    async fn answer(database: &Database, questions: &[Self]) -> Result<Vec<Arc<Page>>, Error> {
        let mut places = HashMap::new();
        let (mut companies, mut skips) = (Vec::new(), Vec::new());
        for page in questions {
            places.entry(page).or_insert_with(|| {
                companies.push(page.company);
                skips.push((page.number - 1) * PAGE_SIZE);
                companies.len() - 1
            });
        }
        let mut pages: Vec<Page> = companies.iter().map(|_| Page::default()).collect();
        for row in database.query(|s| &s.find_pages, &[&companies, &skips]).await? {
            let page = &mut pages[row.get::<_, i64>(21) as usize - 1];
            page.count = row.get(20);
            if row.get::<_, Option<i64>>(0).is_some() {
                page.rows.push(row);
            }
        }
        let pages: Vec<_> = pages.into_iter().map(Arc::new).collect();
        Ok(questions.iter().map(|page| pages[places[page]].clone()).collect())
    }
}
