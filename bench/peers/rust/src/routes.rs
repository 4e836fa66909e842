//! The requests that the service answers.
use std::sync::Arc;

use hyper::body::HttpBody;
use hyper::header::{HeaderValue, AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::{Body, Method, Request, Response, StatusCode};
use serde::Serialize;
use serde_json::json;

use crate::auth::{Caller, Session, Verifier};
use crate::contracts::create::Create;
use crate::contracts::find::Find;
use crate::contracts::page::{PageNumber, PAGE_SIZE};
use crate::contracts::{Contract, Detail};
use crate::database::Database;
use crate::input::Input;
use crate::turn::Turn;

const CONTRACTS: &str = "/api/v1/contracts";
const MAX_BODY: u64 = 64 * 1024;
/// PostgreSQL's class of errors of constraints.
const VIOLATION: &str = "23";

pub struct Service {
    verifier: Verifier,
    sessions: Turn<Session>,
    pages: Turn<PageNumber>,
    finds: Turn<Find>,
    creates: Turn<Create>,
}

/// Why a request has no answer.
enum Refusal {
    Status(StatusCode),
    Field(&'static str),
    Database(tokio_postgres::Error),
}

impl From<tokio_postgres::Error> for Refusal {
    fn from(error: tokio_postgres::Error) -> Self {
        match error.code() {
            Some(code) if code.code().starts_with(VIOLATION) => Self::Status(StatusCode::BAD_REQUEST),
            _ => Self::Database(error),
        }
    }
}

#[derive(Serialize)]
struct List<'a> {
    count: i64,
    next: Option<String>,
    previous: Option<String>,
    results: Vec<Contract<'a>>,
}

impl Service {
    pub fn new(database: &Arc<Database>, key: &[u8], shared: bool) -> Self {
        Self {
            verifier: Verifier::new(key),
            sessions: Turn::new(database, shared),
            pages: Turn::new(database, shared),
            finds: Turn::new(database, shared),
            creates: Turn::new(database, shared),
        }
    }

    pub async fn respond(&self, request: Request<Body>) -> Response<Body> {
        let (status, body) = match self.answer(request).await {
            Ok(answer) => answer,
            Err(Refusal::Status(status)) => (status, to_json(&json!({ "detail": status.canonical_reason() }))),
            Err(Refusal::Field(field)) => {
                (StatusCode::BAD_REQUEST, to_json(&json!({ "detail": "Invalid input.", "errors": { field: ["Invalid."] } })))
            }
            Err(Refusal::Database(error)) => {
                eprintln!("{error:?}");
                (StatusCode::INTERNAL_SERVER_ERROR, to_json(&json!({ "detail": "Internal server error." })))
            }
        };
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = status;
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response
    }

    async fn answer(&self, request: Request<Body>) -> Result<(StatusCode, Vec<u8>), Refusal> {
        let rest = request.uri().path().strip_prefix(CONTRACTS).ok_or(Refusal::Status(StatusCode::NOT_FOUND))?;
        let caller = self.authenticate(&request).await?;
        match (request.method(), rest.trim_matches('/')) {
            (&Method::GET, "") => self.list(&request, caller.company).await,
            (&Method::GET, id) => self.detail(id, caller.company).await,
            (&Method::POST, "") if caller.may_edit() => self.create(request, caller.company).await,
            (&Method::POST, "") => Err(Refusal::Status(StatusCode::FORBIDDEN)),
            _ => Err(Refusal::Status(StatusCode::METHOD_NOT_ALLOWED)),
        }
    }

    /// Verifies the token of a request, then reads the current rights of its session.
    async fn authenticate(&self, request: &Request<Body>) -> Result<Caller, Refusal> {
        let header = request.headers().get(AUTHORIZATION).and_then(|header| header.to_str().ok());
        let claims = header.and_then(|header| self.verifier.verify(header.strip_prefix("Bearer ")?));
        let claims = claims.ok_or(Refusal::Status(StatusCode::UNAUTHORIZED))?;
        let user = self.sessions.ask(Session(claims.sid)).await?.filter(|user| user.id == claims.user_id);
        user.ok_or(Refusal::Status(StatusCode::UNAUTHORIZED))?.caller.ok_or(Refusal::Status(StatusCode::FORBIDDEN))
    }

    async fn list(&self, request: &Request<Body>, company: i32) -> Result<(StatusCode, Vec<u8>), Refusal> {
        let given = request.uri().query().and_then(|query| query.split('&').find_map(|part| part.strip_prefix("page=")));
        let number =
            given.map_or(Ok(1), |page| page.parse()).ok().filter(|page| (1..=1_000_000).contains(page)).ok_or(Refusal::Field("page"))?;
        let page = self.pages.ask(PageNumber { company, number }).await?;
        let results = page.contracts();
        if results.is_empty() && number > 1 {
            return Err(Refusal::Status(StatusCode::NOT_FOUND));
        }
        let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let path = request.uri().path();
        let link = |number: i64| if number == 1 { format!("http://{host}{path}") } else { format!("http://{host}{path}?page={number}") };
        let list = List {
            count: page.count,
            next: (number * PAGE_SIZE < page.count).then(|| link(number + 1)),
            previous: (number > 1).then(|| link(number - 1)),
            results,
        };
        Ok((StatusCode::OK, to_json(&list)))
    }

    async fn detail(&self, id: &str, company: i32) -> Result<(StatusCode, Vec<u8>), Refusal> {
        let id = id.parse().map_err(|_| Refusal::Status(StatusCode::NOT_FOUND))?;
        let found = self.finds.ask(Find { company, id }).await?.ok_or(Refusal::Status(StatusCode::NOT_FOUND))?;
        Ok((StatusCode::OK, to_json(&Detail::from(&found))))
    }

    async fn create(&self, request: Request<Body>, company: i32) -> Result<(StatusCode, Vec<u8>), Refusal> {
        if request.body().size_hint().upper().is_none_or(|size| size > MAX_BODY) {
            return Err(Refusal::Status(StatusCode::PAYLOAD_TOO_LARGE));
        }
        let body = hyper::body::to_bytes(request.into_body()).await.map_err(|_| Refusal::Field("body"))?;
        let input = Input::read(&body).map_err(Refusal::Field)?;
        let made = self.creates.ask(Create { company, input }).await?.map_err(Refusal::Field)?;
        Ok((StatusCode::CREATED, to_json(&Detail::from(&made))))
    }
}

fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("serializable values")
}
