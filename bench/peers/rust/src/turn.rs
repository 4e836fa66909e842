//! The turn: requests that arrive together share one statement.
use std::{future::Future, sync::Arc};

use tokio::sync::{mpsc, oneshot, Semaphore};
use tokio_postgres::Error;

use crate::database::Database;

/// Statements of one kind that run at the same time. While all run, later questions wait and make the next statement larger.
const RUNS: usize = 2;
const MAX_QUESTIONS: usize = 200;

/// What a request asks the database. One statement answers any number of questions of a kind.
pub trait Question: Clone + Send + Sync + 'static {
    type Answer: Send + 'static;

    /// Answers questions in their order.
    fn answer(database: &Database, questions: &[Self]) -> impl Future<Output = Result<Vec<Self::Answer>, Error>> + Send;
}

type Asked<Q> = (Q, oneshot::Sender<Result<<Q as Question>::Answer, Error>>);

pub struct Turn<Q: Question> {
    database: Arc<Database>,
    queue: Option<mpsc::UnboundedSender<Asked<Q>>>,
}

impl<Q: Question> Turn<Q> {
    /// Answers each question with a statement of its own, unless they are `shared`.
    pub fn new(database: &Arc<Database>, shared: bool) -> Self {
        let queue = shared.then(|| {
            let (queue, asked) = mpsc::unbounded_channel();
            tokio::spawn(take_turns(database.clone(), asked));
            queue
        });
        Self { database: database.clone(), queue }
    }

    pub async fn ask(&self, question: Q) -> Result<Q::Answer, Error> {
        let Some(queue) = &self.queue else { return answer_one(&self.database, question).await };
        let (reply, answer) = oneshot::channel();
        queue.send((question, reply)).unwrap_or_else(|_| panic!("turns have ended"));
        answer.await.expect("every question has an answer")
    }
}

/// Takes the questions that have arrived when a run begins. Later ones wait for the next run, so an answer is never older than its
/// request.
async fn take_turns<Q: Question>(database: Arc<Database>, mut queue: mpsc::UnboundedReceiver<Asked<Q>>) {
    let runs = Arc::new(Semaphore::new(RUNS));
    while let Some(first) = queue.recv().await {
        let run = runs.clone().acquire_owned().await.expect("an open semaphore");
        let mut asked = vec![first];
        while asked.len() < MAX_QUESTIONS {
            let Ok(next) = queue.try_recv() else { break };
            asked.push(next);
        }
        let database = database.clone();
        tokio::spawn(async move {
            answer_all(&database, asked).await;
            drop(run);
        });
    }
}

/// Answers questions with one statement. If it fails, each question runs alone and gets its own error.
async fn answer_all<Q: Question>(database: &Database, asked: Vec<Asked<Q>>) {
    let (questions, replies): (Vec<_>, Vec<_>) = asked.into_iter().unzip();
    match Q::answer(database, &questions).await {
        Ok(answers) => {
            for (reply, answer) in replies.into_iter().zip(answers) {
                let _ = reply.send(Ok(answer));
            }
        }
        Err(_) => {
            for (reply, question) in replies.into_iter().zip(questions) {
                let _ = reply.send(answer_one(database, question).await);
            }
        }
    }
}

async fn answer_one<Q: Question>(database: &Database, question: Q) -> Result<Q::Answer, Error> {
    let mut answers = Q::answer(database, &[question]).await?;
    Ok(answers.pop().expect("an answer"))
}
