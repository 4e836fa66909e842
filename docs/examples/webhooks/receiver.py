import base64
import hmac
import json
import math
import os
import sqlite3
import threading
import time
from contextlib import closing

from flask import Flask, request

key = base64.b64decode(os.environ['WEBHOOK_SECRET'].removeprefix('whsec_'))
app = Flask(__name__)
app.config['MAX_CONTENT_LENGTH'] = 1024 * 1024
arrived = threading.Event()


def connect():
    """Opens the database. Each statement commits."""
    return closing(sqlite3.connect('receiver.db', isolation_level=None))


with connect() as database:
    database.execute('create table if not exists inbox (webhook_id text primary key, body text not null, done int not null default 0)')
    database.execute('create table if not exists records (resource text, id int, version, record text, primary key (resource, id))')


def is_signed(body, headers):
    """Whether a signature (Standard Webhooks) is valid and not older than five minutes."""
    message, timestamp = headers.get('webhook-id', ''), headers.get('webhook-timestamp', '')
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    digest = hmac.digest(key, f'{message}.{timestamp}.'.encode() + body, 'sha256')
    expected = b'v1,' + base64.b64encode(digest)
    return any(hmac.compare_digest(one.encode(), expected) for one in headers.get('webhook-signature', '').split())


@app.post('/obra')
def receive():
    body = request.get_data()
    if not is_signed(body, request.headers):
        return '', 401
    with connect() as database:
        # The primary key drops a delivery that comes again.
        database.execute('insert or ignore into inbox (webhook_id, body) values (?, ?)', [request.headers['webhook-id'], body.decode()])
    arrived.set()
    return '', 204


def changes_in(body):
    """With a batch above 1, data is a list. A ping has no change."""
    data = json.loads(body)['data']
    return data if isinstance(data, list) else [data] if 'resource' in data else []


def apply(database, change):
    """Replace this by the work of your own system."""
    record = change.get('record')
    # Ids are not used again, so a deletion is final.
    version = math.inf if record is None else record['version']
    # An older state never replaces a newer one.
    stored = database.execute(
        'insert into records (resource, id, version, record) values (?, ?, ?, ?) on conflict (resource, id) do update '
        'set version = excluded.version, record = excluded.record where excluded.version > records.version',
        [change['resource'], change['id'], version, json.dumps(record)])
    if stored.rowcount > 0:
        print(change['resource'], change['id'], json.dumps(record), flush=True)


def work(database):
    """Stores the changes in the inbox. It can run again after a crash or an error."""
    for message, body in database.execute('select webhook_id, body from inbox where not done order by rowid').fetchall():
        for change in changes_in(body):
            apply(database, change)
        database.execute('update inbox set done = 1 where webhook_id = ?', [message])


def work_forever():
    while True:
        arrived.clear()
        try:
            with connect() as database:
                work(database)
        except Exception:
            app.logger.exception('the changes wait for the next delivery')
        arrived.wait()


# Another thread, so that Obra does not wait for it.
threading.Thread(target=work_forever, daemon=True).start()

if __name__ == '__main__':
    app.run(port=int(os.environ.get('PORT', '4000')))
