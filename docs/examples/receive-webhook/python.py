import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

secret = os.environ["WEBHOOK_SECRET"]  # whsec_...
key = base64.b64decode(secret.removeprefix("whsec_"))
seen = set()  # In production, a database table with the ids of the last two days.


def is_genuine(headers, body):
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    # Rejects replays of intercepted messages.
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected.encode(), one.encode()) for one in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_genuine(self.headers, body):
            return self.answer(401)
        self.answer(204)
        message_id = self.headers["webhook-id"]
        if message_id in seen:
            return
        seen.add(message_id)
        message = json.loads(body)
        print(message["type"], message["data"]["kind"], message["data"]["subject"], flush=True)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 9000))), Receiver)
print("listening", flush=True)
server.serve_forever()
