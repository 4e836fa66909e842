//! Tokens, and the rights of their sessions.
use hmac::{Hmac, Mac};
use serde::{de::DeserializeOwned, Deserialize};
use sha2::Sha256;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio_postgres::{Error, Row};

use crate::database::Database;
use crate::turn::Question;

/// The active company of a caller, and the level there.
pub struct Caller {
    pub company: i32,
    level: i16,
}

impl Caller {
    pub fn may_edit(&self) -> bool {
        matches!(self.level, 2 | 3 | 4 | 6)
    }
}

#[derive(Deserialize)]
pub struct Claims {
    pub sid: String,
    pub user_id: i32,
    token_type: String,
    exp: u64,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
}

/// Verifies signatures (HS256) with one key.
pub struct Verifier(Hmac<Sha256>);

impl Verifier {
    pub fn new(key: &[u8]) -> Self {
        Self(Hmac::new_from_slice(key).expect("a key of any length"))
    }

    /// Returns the claims of an access token that is valid.
    pub fn verify(&self, token: &str) -> Option<Claims> {
        let (signed, signature) = token.rsplit_once('.')?;
        let (header, claims) = signed.split_once('.')?;
        self.0.clone().chain_update(signed).verify_slice(&decode(signature)?).ok()?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
        let claims = parse::<Claims>(claims)?;
        (parse::<Header>(header)?.alg == "HS256" && claims.token_type == "access" && claims.exp > now).then_some(claims)
    }
}

fn parse<T: DeserializeOwned>(part: &str) -> Option<T> {
    serde_json::from_slice(&decode(part)?).ok()
}

fn decode(part: &str) -> Option<Vec<u8>> {
    base64::decode_config(part, base64::URL_SAFE_NO_PAD).ok()
}

pub const FIND_CALLERS: &str = "
  select q.place, u.id, u.nivel_acceso, u.customer_id, c.id, c.customer_id, m.nivel_acceso
  from unnest($1::text[]) with ordinality q (sid, place)
  join sessions s on s.id = q.sid::uuid and s.revoked_at is null and s.expires_at > now()
  join users u on u.id = s.user_id and u.activo
  left join companies c on c.id = u.company_id
  left join memberships m on m.user_id = u.id and m.company_id = c.id";

/// Asks for the user of a session that has not ended.
#[derive(Clone)]
pub struct Session(pub String);

pub struct User {
    pub id: i32,
    /// None without an active company or a level there.
    pub caller: Option<Caller>,
}

impl Question for Session {
    type Answer = Option<User>;

    async fn answer(database: &Database, questions: &[Self]) -> Result<Vec<Option<User>>, Error> {
        let sids: Vec<&str> = questions.iter().map(|Session(sid)| sid.as_str()).collect();
        let mut users: Vec<_> = questions.iter().map(|_| None).collect();
        for row in database.query(|s| &s.find_callers, &[&sids]).await? {
            users[row.get::<_, i64>(0) as usize - 1] = Some(user_of(&row));
        }
        Ok(users)
    }
}

fn user_of(row: &Row) -> User {
    let (account, customer): (Option<i16>, Option<i32>) = (row.get(2), row.get(3));
    let (company, company_customer): (Option<i32>, Option<i32>) = (row.get(4), row.get(5));
    let level = match account {
        Some(5 | 6) => account,
        Some(4) if customer.is_some() && customer == company_customer => account,
        _ => row.get(6),
    };
    User { id: row.get(1), caller: company.zip(level).map(|(company, level)| Caller { company, level }) }
}
