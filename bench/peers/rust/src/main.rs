//! A service with hyper and tokio-postgres. `server shared` lets requests that arrive together share one statement.
mod auth;
mod contracts;
mod database;
mod input;
mod routes;
mod turn;

use std::{convert::Infallible, env, error::Error, sync::Arc};

use hyper::service::{make_service_fn, service_fn};
use hyper::Server;
use tokio::signal::unix::{signal, SignalKind};

use database::Database;
use routes::Service;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = format!("{}:{}", env::var("HOST")?, env::var("PORT")?).parse()?;
    let database = Arc::new(Database::open(&env::var("DATABASE_URL")?).await?);
    let shared = env::args().nth(1).as_deref() == Some("shared");
    let service = Arc::new(Service::new(&database, env::var("JWT_SECRET")?.as_bytes(), shared));
    let accept = make_service_fn(move |_| {
        let service = service.clone();
        async move {
            Ok::<_, Infallible>(service_fn(move |request| {
                let service = service.clone();
                async move { Ok::<_, Infallible>(service.respond(request).await) }
            }))
        }
    });
    let mut ended = signal(SignalKind::terminate())?;
    Server::bind(&address)
        .http1_only(true)
        .tcp_nodelay(true)
        .serve(accept)
        .with_graceful_shutdown(async move {
            ended.recv().await;
        })
        .await?;
    Ok(())
}
