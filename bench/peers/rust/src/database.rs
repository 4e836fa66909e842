//! Ten connections with their prepared statements.
use std::{process, sync::Arc};

use tokio_postgres::{types::ToSql, Client, Config, Error, NoTls, Row, Statement};

use crate::auth;
use crate::contracts::{create, find, page};

const CONNECTIONS: usize = 10;
const SETTINGS: &str = "-c timezone=UTC -c plan_cache_mode=force_generic_plan";

pub struct Database {
    connections: Vec<Arc<Connection>>,
}

struct Connection {
    client: Client,
    statements: Statements,
}

pub struct Statements {
    pub find_callers: Statement,
    pub find_pages: Statement,
    pub find_contracts: Statement,
    pub create: Statement,
}

impl Database {
    pub async fn open(url: &str) -> Result<Self, Error> {
        let mut connections = Vec::new();
        for _ in 0..CONNECTIONS {
            connections.push(Arc::new(connect(url).await?));
        }
        Ok(Self { connections })
    }

    /// Runs a statement on the connection with the fewest running statements.
    pub async fn query(&self, statement: fn(&Statements) -> &Statement, values: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, Error> {
        let idlest = self.connections.iter().min_by_key(|connection| Arc::strong_count(connection));
        let connection = Arc::clone(idlest.expect("connections"));
        connection.client.query(statement(&connection.statements), values).await
    }
}

async fn connect(url: &str) -> Result<Connection, Error> {
    let (client, connection) = url.parse::<Config>()?.options(SETTINGS).connect(NoTls).await?;
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            eprintln!("lost a connection to the database: {error}");
            process::exit(1);
        }
    });
    let statements = Statements {
        find_callers: client.prepare(auth::FIND_CALLERS).await?,
        find_pages: client.prepare(&page::statement()).await?,
        find_contracts: client.prepare(&find::statement()).await?,
        create: client.prepare(&create::statement()).await?,
    };
    Ok(Connection { client, statements })
}
